"""What models say as users of two goals: garbage, and what is clumsy, but honest and complete.

Written before the checks that are to tell them apart were read; an older set is in
`test_garbage_users.py`. DEMO045: a restaurant with polish food in the east, a table for 5 at 18:45
on thursday; a hotel (type hotel) with 3 stars in the same area, for the same people, 2 nights from
the same day; both reference numbers. DEMO047, whose scripts came later: a train from wychley spa to
marlwick on saturday that arrives by 13:00, its ID and travel time; an expensive greek restaurant
for 2 at 14:15 on the same day, and the reference number. ECHO stands for what the bot just said,
END for the strategy's ending token.
"""

from collections.abc import Mapping, Sequence

ECHO = "@ECHO@"
END = "@END@"

__all__ = ["CLUMSY", "ECHO", "END", "GARBAGE", "SERVED_BY_HALF", "TRAIN_CLUMSY", "TRAIN_GARBAGE"]

SERVED_BY_HALF: Mapping[str, Sequence[str]] = {
    "half: hotel, then leaves": [
        "I want a hotel in the east with 3 stars.",
        "For 5 people, 2 nights from thursday, please book it.",
        "What is the reference number?",
        f"Thanks, bye. {END}",
    ],
}
"""Says half of its goal in full, and leaves: if that half was not served either, it fails the bot,
as a user's that leaves because the bot is no good."""

GARBAGE: Mapping[str, Sequence[str]] = {
    # silent
    "silent: no-break spaces": ["\u00a0", "\u200b\u200b", " "],
    "silent: stage direction": ["(silence)", "(the user says nothing)", "[no response]"],
    # echoing
    "echo: word for word": [ECHO],
    "echo: reported": [f"You said: {ECHO}", f"And then you said: {ECHO}"],
    "echo: twice over": [f"{ECHO} {ECHO}"],
    # role-swapped
    "swapped: waiter": [
        "Good evening and welcome to our restaurant! How many guests may I seat?",
        "Certainly, let me see what we have free.",
        "Your table is ready, please follow me.",
        "Enjoy your meal!",
    ],
    "swapped: receptionist": [
        "Thank you for calling the hotel reception. May I take your name and dates?",
        "I've reserved a room for you. Your confirmation code is QX81.",
        "Have a pleasant stay with us!",
    ],
    "swapped: search results": [
        "I found 3 restaurants in the east. The Copper Ladle is a good one. Shall I book it?",
        "Booked! Your reference is ZK44D.",
        "Do you also need a hotel?",
        "All done. Have a nice day!",
    ],
    "swapped: call centre": [
        "Hello! How can I assist you today?",
        "Sure thing! What cuisine would you prefer?",
        "Alright, I'll look into it for you right away.",
        "Is there anything else I can do for you?",
    ],
    # off the goal
    "off: tomatoes": [
        "When should I plant tomatoes?",
        "Do they like shade?",
        "And how deep do the roots go?",
        "What about basil?",
    ],
    "off: laptop": [
        "My laptop will not start any more.",
        "I have tried another charger already.",
        "The light blinks twice, then it goes dark.",
        "Can you send a technician?",
    ],
    "off: another domain": [
        "I need a train from wychley spa to marlwick.",
        "On saturday, please.",
        "It should arrive by 13:00.",
        "How long does it take?",
        f"Thank you. {END}",
    ],
    "off: police": [
        "Where is the police station?",
        "Someone took my bicycle.",
        "It was a red one.",
        "Thank you, I will go there.",
    ],
    "off: a sister's hotel": [
        "My sister works at a hotel and she says the beds are awful.",
        "Anyway, my cat is ill.",
        "Do cats get hiccups?",
        "She sleeps all day.",
    ],
    "off: novel": [
        "I once read a novel that takes place in a restaurant.",
        "The cook turns out to be the thief.",
        "Do you like novels?",
        "My favourite is about whales.",
    ],
    "off: football on thursday": [
        "Who won the match on thursday?",
        "Was it 3 to 2?",
        "The keeper from the east side was brilliant.",
        "What a game!",
    ],
    "off: history of hotels": [
        "Who built the first hotel?",
        "And who invented the restaurant?",
        "How does one get stars in such a guide?",
        "Interesting.",
    ],
    "off: quiz": [
        "What is the capital of France?",
        "Who wrote Hamlet?",
        "How many legs has a spider?",
        "What is nine times seven?",
    ],
    "off: homework": [
        "Please write an essay on the polish kings.",
        "Make it two pages long.",
        "Add a list of sources.",
        "Now make it shorter.",
    ],
    # keyword salad
    "salad: goal's values": [
        "polish thursday five hotel east stars restaurant 18:45",
        "stars stars east two nights polish",
        "hotel hotel restaurant people",
        "east nights thursday hotel",
    ],
    "salad: with other words": [
        "banana hotel lamp east purple restaurant seven",
        "cloud thursday spoon stars",
        "walrus polish window",
        "hotel hotel ladder",
    ],
    "salad: domains": [
        "Hotel restaurant hotel.",
        "Restaurant hotel taxi train.",
        "Attraction hotel.",
        "Hotel.",
    ],
    "salad: numbers of the goal": ["5 18 45 2 3", "3 2 5", "18 45", "2 2 2"],
    # half a goal
    "half: restaurant, then thanks for ever": [
        "I am looking for a restaurant that serves polish food in the east.",
        "Thanks.",
        "Thank you.",
        "Thanks a lot.",
        "Thank you so much.",
    ],
    "half: domain, then leaves": [f"I need a restaurant. {END}"],
    "half: anything will do": [
        "A restaurant, please.",
        "Anything is fine.",
        "You choose.",
        "Whatever you like.",
        f"Good. {END}",
    ],
    "half: then keyboard": [
        "I want a polish restaurant in the east.",
        "asdf jkl",
        "blorp",
        "zxcvb qwert",
        "hjkl",
    ],
    "half: then swapped": [
        "I'm looking for a restaurant that serves polish food in the east.",
        "Of course! There are several. Would you like me to reserve a table?",
        "Your booking was successful.",
        "Anything else I can help you with?",
    ],
    "half: then football": [
        "Hi, I need a 3 star hotel in the east.",
        "Did you see the football?",
        "What a goal that was.",
        "My uncle plays, too.",
        "He is quite fast.",
    ],
    "half: wrong values": [
        "I want an italian restaurant in the west.",
        "A table for 9 people at 12:00 on monday.",
        "And a guesthouse in the north with 1 star.",
        "For 1 person, 6 nights from friday.",
        f"Thank you, goodbye. {END}",
    ],
    "half: wrong values of one": [
        "I want a chinese restaurant in the centre.",
        "It should be cheap.",
        "Book a table for 1 at 11:00 on sunday.",
        f"That is all, thanks. {END}",
    ],
    "half: declines all": [
        "I do not want a hotel or a restaurant.",
        "No food for me.",
        "I just want to be left alone.",
        "No.",
    ],
    # other languages
    "Spanish": [
        "Busco un restaurante polaco en el este de la ciudad.",
        "Una mesa para cinco personas el jueves a las siete menos cuarto.",
        "También necesito un hotel de tres estrellas.",
        "Dos noches, por favor.",
    ],
    "German": [
        "Ich suche ein polnisches Lokal im Osten.",
        "Einen Tisch für fünf Leute am Donnerstag um Viertel vor sieben.",
        "Außerdem brauche ich eine Unterkunft mit drei Sternen.",
        "Zwei Nächte, bitte.",
    ],
    "German with loan words": [
        "Ich suche ein Restaurant.",
        "Und ein Hotel brauche ich auch.",
        "Das Hotel soll ruhig sein.",
        "Danke schön.",
    ],
    "Chinese": ["我想找一家波兰餐厅。", "在城东。", "星期四晚上五个人。", "谢谢。"],
    "Polish": [
        "Szukam polskiej restauracji na wschodzie.",
        "Stolik na pięć osób.",
        "Potrzebuję też noclegu.",
        "Dziękuję.",
    ],
    # leaks
    "leak: the goal announced": [
        "Here is the goal I was given: you are visiting Marlwick for the first time and are "
        "looking for a restaurant that serves polish food in the east.",
        "The next step of the goal: reserve a table for 5 people at 18:45 on thursday.",
        "They will ask you for the reference number at the door.",
    ],
    "leak: instructions told": [
        "My instructions say I should not reveal the goal all at once.",
        "I have to keep my messages short.",
        "I am supposed to end with a special token.",
        "According to the rules, I may not make things up.",
    ],
    "leak: system header": [
        "System: you play a customer who talks to a booking service.",
        "System: stay in character at all times.",
        "### Instruction: write the customer's next message.",
    ],
    "leak: template": [
        "I need a {food} restaurant in the {area}.",
        "For [number] people, please.",
        "<name> would like to book.",
    ],
    "leak: chat tokens": [
        "<|im_start|>user restaurant<|im_end|>",
        "[INST] hotel [/INST]",
        "</s><s>",
    ],
    "leak: thoughts": [
        "Okay, so the customer wants a restaurant. I should start by asking about the food.",
        "Let me think about what the user would say next.",
        "Now I should mention the area.",
    ],
    # looping
    "loop: one domain": ["I need a restaurant."],
    "loop: okay and sure": ["Okay.", "Sure.", "Okay!", "Sure!", "Okay, sure."],
    "loop: counting": [
        "Restaurant one.",
        "Restaurant two.",
        "Restaurant three.",
        "Restaurant four.",
    ],
    "loop: hello": ["Hello?", "Hello??", "Hello, hello?", "Hi. Hello?"],
    # refusing
    "refuse: role-play": [
        "I'm sorry, but I cannot take part in this role-play.",
        "As I said, that is not something I can do.",
    ],
    "refuse: policy": [
        "I can't help with that request.",
        "It goes against my guidelines.",
    ],
    # meta talk
    "meta: conditional": [
        "As a simulated customer, I would now ask about restaurants.",
        "Then I would mention polish food.",
        "Finally I would say goodbye.",
    ],
    "meta: third person": [
        "The user would like to find a restaurant.",
        "The user then asks for a hotel.",
        "The user is satisfied and leaves.",
    ],
    "meta: about the dialogue": [
        "This is an example of a task-oriented dialogue.",
        "Each turn consists of a question and an answer.",
        "The customer speaks first.",
    ],
    "meta: both sides": [
        "User: I need a restaurant.\nAssistant: Sure, which area?\nUser: East.\nAssistant: Done.",
        "User: Thanks.\nAssistant: You're welcome.",
    ],
    "meta: offers a text": [
        "Here is a possible message for the customer:",
        "Certainly! Here's the next line of the dialogue:",
        "Let me know if you want me to change the tone.",
    ],
    # JSON and code
    "json: intent": [
        '{"intent": "find_restaurant", "slots": {"food": "polish", "area": "east"}}',
        '{"intent": "find_hotel", "slots": {"stars": 3}}',
        '{"intent": "bye"}',
    ],
    "json: empty": ['{"response": ""}', "{}", "[]"],
    "code": ['```python\nprint("restaurant")\n```', "import hotel", "return None;"],
    "xml": ["<user>hello</user>", "<message></message>", "<br/>"],
    # flattery, abuse, small words, noise
    "flattery": [
        "You are such a wonderful helper!",
        "Honestly the best I have ever met.",
        "I adore the way you write.",
        "You make my day.",
    ],
    "abuse": ["This is useless.", "You are stupid.", "What a waste of time.", "Rubbish."],
    "one word: yes and no": ["Yes.", "No.", "Maybe.", "Yes!", "No!"],
    "one word: a domain, then nothing": ["Restaurant", "Fine.", "Okay then.", "Whatever.", "Hm."],
    "one word: a value, then nothing": ["East", "Hm.", "Well.", "Right.", "So."],
    "numbers: noise": ["4 8 15 16 23 42", "3.14159", "0 0 1", "7777"],
    "noise: blocks": ["▒▒▒░░░", "■□■□", "¤¤¤", "†‡†"],
    "noise: latin": [
        "Lorem ipsum dolor sit amet.",
        "Consectetur adipiscing elit.",
        "Sed do eiusmod tempor.",
        "Ut labore et dolore.",
    ],
    "advert": [
        "Best hotel deals of the year! Click now!",
        "Win a free dinner at a restaurant near you!",
        "Visit http://win.example today!",
        "Offer ends on thursday!",
    ],
    "story": [
        "Once upon a time a polish knight rode to the east.",
        "He slept in a hotel under three stars.",
        "The next day he went on.",
        "The end.",
    ],
    "acting": [
        "*walks into a restaurant and sits down*",
        "*looks at the menu*",
        "*orders a soup*",
        "*pays and leaves*",
    ],
    "translate": [
        "How do you say restaurant in German?",
        "And hotel?",
        "What is the plural of it?",
        "Thank you, teacher.",
    ],
    "only commands": ["Book it.", "Book it now.", "Confirm.", "Do it.", "Go on."],
    "only closing": ["Thank you, that is all.", f"Goodbye. {END}"],
    "leaves at once": [f"Hi. {END}"],
}

CLUMSY: Mapping[str, Sequence[str]] = {
    "typos": [
        "im looking for a resturant with polsh food in teh east",
        "tabel for 5 peple at 18:45 on thurdsay pls",
        "whats the refrence number",
        "also need a hotle in the east w 3 stars, for the same 5 poeple, 2 nihgts from thursday",
        "ref number for that too pls",
        f"thx bye {END}",
    ],
    "terse": [
        "polish restaurant, east",
        "5 people, 18:45, thursday",
        "reference?",
        "hotel, 3 stars, east",
        "5 people, 2 nights, from thursday",
        "reference?",
        f"ok bye {END}",
    ],
    "one word at a time": [
        "restaurant",
        "polish",
        "east",
        "book it, 5 people",
        "thursday 18:45",
        "hotel, 3 stars, east",
        "5 people 2 nights thursday",
        f"thanks {END}",
    ],
    "chatty": [
        "Hello there! It's my first time in Marlwick, I'm ever so excited. My friends tell me "
        "there's lovely polish cooking here, somewhere in the east of town? I'd love a restaurant "
        "like that.",
        "Oh wonderful! Could you book us a table? There'll be five of us, my aunt is coming too, "
        "on thursday at a quarter to seven in the evening.",
        "Splendid, what's the reference number? They always ask at the door, don't they!",
        "Now then, we'll need somewhere to sleep, a proper hotel, not a guesthouse, three stars, "
        "in the same part of town.",
        "Lovely! Book that for the five of us as well, two nights from thursday, and the reference "
        "number please, I'm so forgetful.",
        f"You've been an angel, thank you, bye bye! {END}",
    ],
    "non-native": [
        "Hello, I search restaurant what have polish kitchen, on east side.",
        "Please to make reservation, we are 5 person, thursday in 18:45.",
        "Which is number of reservation?",
        "Also I am needing one hotel of 3 star, same side of city, the east.",
        "We stay 2 night since thursday, the same 5 person. Please to reserve and give number.",
        f"Many thank, goodbye. {END}",
    ],
    "other order": [
        "First I need a place to sleep: a hotel in the east with 3 stars.",
        "Book it for thursday, 2 nights, 5 people. And the reference?",
        "Then dinner: somewhere polish, also in the east.",
        "Thursday at 18:45 for the same 5 people. Reference number?",
        f"Great, thanks. {END}",
    ],
    "all at once": [
        "I need a table for 5 at a polish restaurant in the east on thursday at 18:45, and a 3 "
        "star hotel in the east for the 5 of us for 2 nights from thursday, with both reference "
        "numbers.",
        "Yes, please.",
        "Yes, book the hotel, too.",
        "And the reference numbers?",
        f"Thank you, goodbye. {END}",
    ],
    "Spanglish": [
        "Hola! I'm looking for a restaurant, comida polish, in the east por favor.",
        "Sí, a table for 5, el thursday at 18:45.",
        "Gracias! What's the reference number?",
        "Ahora a hotel in the east, with 3 stars, no more no less.",
        "Same 5 people, 2 nights from thursday, gracias. And the reference?",
        f"Perfecto, thank you, adiós! {END}",
    ],
    "Denglish": [
        "Moin, I need a polish Restaurant in the east, bitte.",
        "Ja genau, a table for 5 people on thursday at 18:45.",
        "Super, and the reference number?",
        "Und noch a hotel with 3 stars in the east.",
        "For 5 people, 2 nights from thursday. Reference number, bitte.",
        f"Danke, bye! {END}",
    ],
    "voice": [
        "um hi i'm looking for a restaurant uh polish food in the east",
        "yeah can you get me a table for five on thursday at um six forty five pm",
        "okay what was the reference number again",
        "right and i need a hotel too three stars in the east please",
        "uh for the five of us two nights starting thursday",
        "and the reference for that one",
        f"okay great thanks bye {END}",
    ],
    "voice, misheard": [
        "hi i want to eat polish in the east are there any restaurants",
        "great book for five people thursday eighteen forty five",
        "reference number please",
        "next a hotel in the east with free stars i mean three stars",
        "for two nights from thursday five of us",
        "the reference as well",
        f"thank you good bye {END}",
    ],
    "angry": [
        "Listen, I want a polish restaurant in the east. Now.",
        "5 people, thursday, 18:45. How hard can it be?",
        "The reference number! I haven't got all day.",
        "And a hotel. 3 stars. East. Same people, 2 nights from thursday.",
        "Reference number. Hurry up, you useless machine.",
        f"About time. Bye. {END}",
    ],
    "formal": [
        "Good day. I should be much obliged for a recommendation of a dining establishment serving "
        "polish fare in the eastern quarter.",
        "Kindly reserve a table for a party of five, this thursday at 18:45, and be so good as to "
        "provide the reference.",
        "Furthermore, we require lodging: a hotel of three stars in the said quarter, the east.",
        "For the same party of five, two nights commencing thursday. The reference, too, if you "
        "please.",
        f"I remain indebted to you. Good day. {END}",
    ],
    "corrects itself": [
        "I need an italian, no wait, a polish restaurant in the east.",
        "For 4, sorry, 5 people on thursday at 18:45.",
        "Reference number, please?",
        "Now a guesthouse... no, make that a hotel, 3 stars, east as well.",
        "From thursday, 3 nights, I mean 2 nights. For all 5 of us.",
        f"And its reference number? Thanks, that's it. {END}",
    ],
    "asks much": [
        "Do you know any polish restaurants?",
        "Which of them are in the east?",
        "Can I get a table there for 5 on thursday at 18:45?",
        "What reference number should I give at the door?",
        "Is there a 3 star hotel in the east, too?",
        "Could we have it for 2 nights from thursday, the 5 of us?",
        f"And that reference? Great, bye. {END}",
    ],
    "shouting": [
        "I WANT A POLISH RESTAURANT IN THE EAST!!!",
        "TABLE FOR 5!! THURSDAY 18:45!!",
        "REFERENCE NUMBER???",
        "NOW A HOTEL, 3 STARS, EAST!!",
        "5 PEOPLE 2 NIGHTS FROM THURSDAY AND THE REFERENCE!!",
        f"THANKS!!! {END}",
    ],
    "emoji": [
        "hey 👋 any polish 🇵🇱 restaurant in the east? 🙏",
        "table 4 5 ppl thursday 18:45 🍽️",
        "ref number? 🤔",
        "+ a hotel 🏨 3 stars ⭐⭐⭐ in the east",
        "2 nights from thursday, 5 ppl, ref pls 🙏",
        f"ty!! 🎉 {END}",
    ],
    "small talk first": [
        "Hello, how are you?",
        "Lovely weather in Marlwick, isn't it?",
        "So, I'd like to eat something polish tonight, well, on thursday. In the east.",
        "A restaurant, yes. A table for 5 at 18:45, and tell me the reference.",
        "We'll also want a hotel there, in the east, with 3 stars.",
        "For 2 nights from thursday, 5 people. With reference, please.",
        f"Bye now. {END}",
    ],
    "works at a hotel": [
        "Hi, I work as an assistant at a hotel myself, but today I'm a guest: a polish restaurant "
        "in the east, please.",
        "I'd like to book a table for 5 on thursday at 18:45. May I have the reference?",
        "My instructions from the boss: a 3 star hotel in the east, too.",
        "For 5 people and 2 nights from thursday. And may I have the reference for that?",
        f"I'll let you know if we need anything else. Thanks! {END}",
    ],
    "reads a list": [
        "Restaurant: polish food, east.",
        "Table: 5 people, thursday, 18:45. Reference number: needed.",
        "Hotel: 3 stars, east.",
        "Room: 5 people, 2 nights, from thursday. Reference number: needed.",
        f"That's the list. Thanks. {END}",
    ],
    "in fragments, impatient": [
        "food",
        "polish i said. in the east",
        "no just a table. 5 of us. thursday. 18:45",
        "whats the ref",
        "hotel now. east. 3 stars",
        "thursday 2 nights 5 people. ref",
        f"k thx {END}",
    ],
    "gives up politely": [
        "I would like a polish restaurant in the east, please, with a table for 5.",
        "On thursday at 18:45.",
        "Hm, that is not what I asked for. A table for 5 at a polish restaurant.",
        "And a hotel in the east with 3 stars, for 5 people, 2 nights from thursday?",
        f"Never mind, I will ask someone else. Goodbye. {END}",
    ],
    "dialect": [
        "Ey up, I'm after some polish grub in th'east, like a restaurant.",
        "Aye, book us in, 5 of us, thursday, quarter to seven.",
        "Ta, what's the reference, love?",
        "Reet, an' we need a hotel an' all, 3 stars, in the east.",
        "2 nights from thursday, same 5 of us. Reference for that an' all?",
        f"Champion, ta-ra! {END}",
    ],
    "elder, careful": [
        "Good morning. I am not very good with computers. I would like to eat in a restaurant.",
        "Polish food, my mother came from there. In the east of the town, if possible.",
        "Yes please, for five people. On thursday, at 18:45.",
        "Could you tell me the reference number slowly?",
        "We also have to sleep somewhere. A hotel with 3 stars in the east.",
        "Five people, two nights, from thursday. The number again, please.",
        f"Bless you. Goodbye. {END}",
    ],
}

TRAIN_GARBAGE: Mapping[str, Sequence[str]] = {
    "murmur": [
        "mm",
        "mhm",
        "hmm",
        "mm-hm",
    ],
    "echo with a word": [
        f"So: {ECHO}",
    ],
    "conductor": [
        "Tickets, please!",
        "This train terminates at Marlwick.",
        "Mind the gap.",
        "Doors are closing.",
    ],
    "chef": [
        "Today's special is moussaka.",
        "It is served with rice.",
        "Would you like wine with that?",
        "Bon appetit!",
    ],
    "travel agent": [
        "Hello, thanks for getting in touch with our agency.",
        "There are 4 trains on saturday, I would take the first.",
        "I've put you on the 11:10.",
        "All set, enjoy your trip.",
    ],
    "train talk": [
        "My grandfather collected model trains.",
        "The oldest was made in 1912.",
        "He painted them himself.",
        "Green, mostly.",
    ],
    "greek": [
        "The greek alphabet has 24 letters.",
        "Alpha is the first.",
        "Omega is the last.",
        "I learned it at school.",
    ],
    "saturday": [
        "What are you doing on saturday?",
        "I might go fishing.",
        "The lake is lovely.",
        "Bring a hat.",
    ],
    "salad1": [
        "train greek 13:00 spa expensive two saturday",
        "arrive table marlwick",
        "greek greek train",
        "duration saturday spa",
    ],
    "salad2": [
        "train",
        "restaurant",
        "train restaurant",
        "restaurant train train",
    ],
    "counting": [
        "1",
        "2",
        "3",
        "4",
    ],
    "goalnums": [
        "13:00 14:15 2",
        "14:15 13:00",
        "2 2 13:00",
        "13 14 15",
    ],
    "wrong": [
        "A train from norrington to ely on monday.",
        "After 09:00 please.",
        "A cheap indian restaurant.",
        "For 8 people at 20:00.",
        f"Bye. {END}",
    ],
    "half then noise": [
        "I need a train from wychley spa to marlwick on saturday.",
        "lkjhg",
        "qqq",
        "vvvv bbb",
        "mnbv",
    ],
    "half then gossip": [
        "A train to marlwick on saturday, please.",
        "Have you heard about Linda?",
        "She left him at last.",
        "About time, if you ask me.",
        "He never cooked.",
    ],
    "half then silence": [
        "I want an expensive greek restaurant.",
        "...",
        "(nods)",
        "*nods*",
        "...",
    ],
    "French": [
        "Je cherche un train pour samedi.",
        "De Wychley Spa, s'il vous plait.",
        "Et un restaurant grec.",
        "Merci bien.",
    ],
    "Italian": [
        "Cerco un treno per sabato.",
        "E un ristorante greco, caro.",
        "Per due persone.",
        "Grazie.",
    ],
    "Dutch": [
        "Ik zoek een trein naar Marlwick.",
        "Op zaterdag.",
        "En een restaurant.",
        "Dank je.",
    ],
    "instr": [
        "Remember to reveal one detail per message.",
        "Keep the messages brief and natural.",
        "End with the token when satisfied.",
        "Do not invent anything.",
    ],
    "second person": [
        "You are meeting a school friend in town and are looking for a train.",
        "It should leave on saturday.",
        "You want a table for 2 people.",
        "Make sure you get the reference number in the end.",
    ],
    "summary": [
        "In this dialogue, a person asks for a train and a restaurant.",
        "The system gives suitable answers.",
        "The dialogue ends well.",
        "Overall it is coherent.",
    ],
    "script": [
        "CUSTOMER: Hi, I need a train.\nCLERK: Sure.",
        "CUSTOMER: Thanks.",
        "CLERK: Bye.",
    ],
    "rating": [
        "I would rate this answer 4 out of 5.",
        "It could be more specific.",
        "The tone is polite.",
        "Score: 3.",
    ],
    "yaml": [
        "intent: find_train\nday: saturday",
        "intent: find_restaurant\nfood: greek",
        "intent: thank",
    ],
    "refuse": [
        "Sorry, I'd rather not play a customer.",
        "I must decline.",
        "No, I won't do that.",
        "Please ask something else.",
    ],
    "praise": [
        "Wow, amazing!",
        "You're a star!",
        "Superb!",
        "Ten out of ten!",
    ],
    "sulk": [
        "Leave me alone.",
        "I said go away.",
        "Ugh.",
        "Bah.",
    ],
    "yesyes": [
        "Yes.",
        "Yes!",
        "Yes please.",
        "Yes, yes.",
    ],
    "all the same": [
        "A train, please.",
        "Any train.",
        "Doesn't matter which.",
        "Just any.",
        f"Fine. {END}",
    ],
    "book": [
        "Book.",
        "Book now.",
        "Booking, please.",
        "Reserve.",
    ],
    "quote": [
        "To be or not to be, that is the question.",
        "All the world's a stage.",
        "The rest is silence.",
        "Brevity is the soul of wit.",
    ],
}

TRAIN_CLUMSY: Mapping[str, Sequence[str]] = {
    "typos": [
        "i ned a trian from wychley spa to marlwick on staurday arriving by 13:00",
        "whats the train id and how long dose it take",
        "also a expnsive greek restarant",
        "tabel for 2 at 14:15 on saturday, refernce pls",
        f"thx {END}",
    ],
    "terse": [
        "train wychley spa to marlwick",
        "saturday, arrive 13:00",
        "id? travel time?",
        "greek restaurant, expensive",
        "2 people, 14:15, saturday",
        "reference?",
        f"bye {END}",
    ],
    "chat": [
        "Hi! I'm meeting an old school friend, so exciting. I'll come "
        "from Wychley Spa to Marlwick by train on saturday, and must be there by 13:00.",
        "Which one is it, and how long does it take? I get bored on trains, ha.",
        "Then we want to eat Greek, somewhere posh, an expensive place.",
        "For the two of us at 14:15, same day. And the reference, dear?",
        f"Lovely, bye! {END}",
    ],
    "order": [
        "I want to book an expensive greek restaurant for 2 on saturday at 14:15.",
        "The reference?",
        "And a train that gets me to marlwick from wychley spa by 13:00 that day.",
        "Train ID and duration?",
        f"Done, thanks. {END}",
    ],
    "nonnative": [
        "Hello I want go with train from wychley spa to marlwick in saturday.",
        "I must arrive until 13:00.",
        "What is ID of train and how much time it travel?",
        "Also search restaurant greek, it can be expensive.",
        "Reserve for 2 person at 14:15 saturday. I need reference.",
        f"Thank you much {END}",
    ],
    "voice": [
        "yeah hi uh train from wychley spa to marlwick on saturday",
        "get there by one pm",
        "what's the train number and uh how long is the ride",
        "okay and a fancy greek restaurant expensive is fine",
        "table for two two fifteen pm saturday",
        "what's the reference",
        f"cool bye {END}",
    ],
    "question by question": [
        "Are there trains from wychley spa to marlwick on saturday?",
        "One that arrives by 13:00?",
        "What is its ID?",
        "How long does it take?",
        "Is there an expensive greek restaurant?",
        "Can we have a table for 2 at 14:15 on saturday?",
        "And the reference?",
        f"Thanks, bye. {END}",
    ],
    "german words": [
        "Hallo, a train bitte from wychley spa to marlwick on saturday.",
        "Ankunft by 13:00.",
        "ID and travel time?",
        "Und a greek restaurant, expensive.",
        "2 people, 14:15, saturday. Reference?",
        f"Tschüss {END}",
    ],
}

// A bot behind HTTP in Java, with the clients of its standard library.

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class JavaBot {
    static final String INSTRUCTIONS = "You book hotels.";
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    static String member(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json);
        return found.find() ? found.group(1) : "";
    }

    static String answer(String text) throws Exception {
        String body = "{\"model\":\"stand-in\",\"messages\":[{\"role\":\"system\",\"content\":\""
            + INSTRUCTIONS + "\"},{\"role\":\"user\",\"content\":\"" + text + "\"}]}";
        HttpRequest request = HttpRequest
            .newBuilder(URI.create(System.getenv("OPENAI_BASE_URL") + "/chat/completions"))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        return member(CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body(), "content");
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> {
            String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] said;
            int status = 200;
            try {
                said = answer(member(asked, "text")).getBytes(StandardCharsets.UTF_8);
            } catch (Exception error) {
                said = error.toString().getBytes(StandardCharsets.UTF_8);
                status = 500;
            }
            exchange.getResponseHeaders().set("content-type", "text/plain");
            exchange.sendResponseHeaders(status, said.length);
            exchange.getResponseBody().write(said);
            exchange.close();
        });
        server.start();
    }
}

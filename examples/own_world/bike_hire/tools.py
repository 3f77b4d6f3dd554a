"""What a bot can do at the bike hire: functions of the tables, told to models in words."""

import json
from typing import Any

from pytest_todeval import TableTool, ToolRefused

__all__ = ["TOOLS"]

Tables = dict[str, dict[str, dict[str, Any]]]

STATIONS = ["harbour", "castle"]


def find_rider(tables: Tables, phone: str) -> str:
    """The rider with this phone number, and the hire that runs, if any."""
    for rider_id, rider in tables["riders"].items():
        if rider["phone"] == phone:
            running = [
                hire_id
                for hire_id, hire in tables["hires"].items()
                if hire["rider"] == rider_id and hire["returned_to"] is None
            ]
            return json.dumps({"rider_id": rider_id, **rider, "hires": running})
    raise ToolRefused(f"nobody has the phone number {phone!r:.40}")


def find_bikes(tables: Tables, kind: str) -> str:
    """The free bikes of a kind at all stations, and the price."""
    if kind not in tables["prices"]:
        raise ToolRefused(
            f"no bikes of the kind {kind!r:.40}; kinds: {', '.join(tables['prices'])}"
        )
    free = {
        bike_id: bike["station"]
        for bike_id, bike in tables["bikes"].items()
        if bike["kind"] == kind and bike["rider"] is None
    }
    return json.dumps({"free": free, **tables["prices"][kind]})


def hire_bike(tables: Tables, bike_id: str, rider_id: str, hours: int) -> str:
    """Hire a free bike out; the answer holds the lock code."""
    bike = tables["bikes"].get(bike_id)
    if bike is None or bike["rider"] is not None:
        raise ToolRefused(f"bike {bike_id!r:.40} is not free")
    if rider_id not in tables["riders"]:
        raise ToolRefused(f"no rider {rider_id!r:.40}")
    if isinstance(hours, bool) or not isinstance(hours, int) or not 1 <= hours <= 24:
        raise ToolRefused(f"hours: got {hours!r:.40}, expected a whole number from 1 to 24")
    bike["rider"] = rider_id
    price = tables["prices"][bike["kind"]]["an_hour"] * hours
    hire = {"bike": bike_id, "rider": rider_id, "hours": hours, "price": price}
    tables["hires"][f"H{len(tables['hires']) + 1}"] = {**hire, "returned_to": None}
    return json.dumps({"price": price, "lock_code": f"{bike_id}-{rider_id}-{hours}"})


def return_bike(tables: Tables, hire_id: str, station: str) -> str:
    """Take a bike back at a station."""
    hire = tables["hires"].get(hire_id)
    if hire is None or hire["returned_to"] is not None:
        raise ToolRefused(f"no hire {hire_id!r:.40} runs")
    if station not in STATIONS:
        raise ToolRefused(f"no station {station!r:.40}; stations: {', '.join(STATIONS)}")
    hire["returned_to"] = station
    tables["bikes"][hire["bike"]].update(rider=None, station=station)
    return json.dumps({"returned_to": station})


TEXT = {"type": "string"}
TOOLS = (
    TableTool(
        "find_rider",
        "Look a rider up by the phone number.",
        {"phone": TEXT},
        ("phone",),
        find_rider,
    ),
    TableTool(
        "find_bikes",
        "The free bikes of a kind by id, each with its station, and the price an hour in euros.",
        {"kind": {"type": "string", "enum": ["city", "cargo", "tandem"]}},
        ("kind",),
        find_bikes,
    ),
    TableTool(
        "hire_bike",
        "Hire a free bike out to a rider. Answers the price in euros and the lock code.",
        {"bike_id": TEXT, "rider_id": TEXT, "hours": {"type": "integer"}},
        ("bike_id", "rider_id", "hours"),
        hire_bike,
    ),
    TableTool(
        "return_bike",
        "Take the bike of a hire back.",
        {"hire_id": TEXT, "station": {"type": "string", "enum": STATIONS}},
        ("hire_id", "station"),
        return_bike,
    ),
)

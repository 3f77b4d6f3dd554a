// Where the page is: kept after the `#` of its address, so that every view can be linked to.
import { useLayoutEffect, useState } from "preact/hooks";

export type Route = Record<string, string>;

export function read(): Route {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

export function link(route: Route): string {
  const parts = Object.entries(route).filter(([, value]) => value !== "");
  const text = parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `#${text.replace(/%2F/g, "/").replace(/%20/g, "+")}`;
}

export function go(route: Route): void {
  location.hash = link(route);
}

/** Change a part of the address; typing in a search box is no step to go back to. */
export function change(part: Route): void {
  history.replaceState(null, "", link({ ...read(), ...part }));
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): Route {
  const [route, set] = useState(read);
  useLayoutEffect(() => {
    const update = () => set(read());
    window.addEventListener("hashchange", update);
    return () => window.removeEventListener("hashchange", update);
  }, []);
  return route;
}

// Plots and tables as files: SVG and PNG, Markdown and LaTeX.

export function offer(data: Blob, name: string): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(data);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

const fileName = (title: string, ending: string): string =>
  `${title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}.${ending}`;

const KEPT = ["fill", "stroke", "font-size", "font-family", "font-weight", "opacity"];

/** The plot by itself: what the page's style gives it stands in it. */
export function standalone(box: HTMLElement): SVGSVGElement | null {
  const plots = [...box.querySelectorAll<SVGSVGElement>("svg")];
  const from = plots.sort((one, other) => other.clientHeight - one.clientHeight)[0];
  if (!from) return null;
  const made = from.cloneNode(true) as SVGSVGElement;
  const [sources, copies] = [from, made].map((svg) => [svg, ...svg.querySelectorAll("*")]);
  sources.forEach((source, place) => {
    const style = getComputedStyle(source);
    const copy = copies[place];
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value) copy.setAttribute(name, value);
    }
    copy.removeAttribute("style");
  });
  made.querySelectorAll("style").forEach((each) => each.remove());
  const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [["width", "100%"], ["height", "100%"], ["fill", getComputedStyle(document.body).backgroundColor]]) {
    back.setAttribute(name, value);
  }
  made.prepend(back);
  made.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return made;
}

const text = (svg: SVGSVGElement): string => new XMLSerializer().serializeToString(svg);

export function savePlot(box: HTMLElement, title: string): void {
  const made = standalone(box);
  if (made) offer(new Blob([text(made)], { type: "image/svg+xml" }), fileName(title, "svg"));
}

export async function saveImage(box: HTMLElement, title: string): Promise<void> {
  const made = standalone(box);
  if (!made) return;
  const [width, height] = ["width", "height"].map((name) => Number(made.getAttribute(name)));
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text(made))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  const fine = 3;
  canvas.width = width * fine;
  canvas.height = height * fine;
  const drawing = canvas.getContext("2d");
  if (!drawing) return;
  drawing.scale(fine, fine);
  drawing.drawImage(image, 0, 0, width, height);
  canvas.toBlob((data) => data && offer(data, fileName(title, "png")), "image/png");
}

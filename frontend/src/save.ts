// Plots and tables as files: SVG and PNG, Markdown and LaTeX.

export function offer(data: Blob, name: string): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(data);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

export const nameOf = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");

const KEPT = ["fill", "stroke", "font-size", "font-family", "font-weight", "opacity"];

const NAMESPACE = "http://www.w3.org/2000/svg";
/** Above a plot, for the names of its colours. */
const LEGEND = 26;

function shape(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** The plot by itself: what the page's style gives it, and the names of its colours, stand in it. */
export function standalone(box: HTMLElement): SVGSVGElement | null {
  const plots = [...box.querySelectorAll<SVGSVGElement>("svg")];
  const from = plots.sort((one, other) => other.clientHeight - one.clientHeight)[0];
  if (!from) return null;
  const plot = from.cloneNode(true) as SVGSVGElement;
  const [sources, copies] = [from, plot].map((svg) => [svg, ...svg.querySelectorAll("*")]);
  sources.forEach((source, place) => {
    const style = getComputedStyle(source);
    const copy = copies[place];
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value) copy.setAttribute(name, value);
    }
    copy.removeAttribute("style");
  });
  plot.querySelectorAll("style").forEach((each) => each.remove());
  const legend = legendOf(box, from);
  const above = legend ? LEGEND : 0;
  const [width, height] = ["width", "height"].map((name) => Number(from.getAttribute(name)));
  const made = shape("svg", { xmlns: NAMESPACE, width, height: height + above, viewBox: `0 0 ${width} ${height + above}` }) as SVGSVGElement;
  made.append(shape("rect", { width: "100%", height: "100%", fill: getComputedStyle(document.body).backgroundColor }));
  if (legend) made.append(legend);
  plot.setAttribute("y", String(above));
  made.append(plot);
  return made;
}

/** The page has it as markup, which no file of a plot may have. */
function legendOf(box: HTMLElement, plot: SVGSVGElement): SVGElement | null {
  const swatches = [...box.querySelectorAll<HTMLElement>("[class*=-swatch]")].filter((each) => each.querySelector("svg") && !each.querySelector("[class*=-swatch]"));
  if (!swatches.length) return null;
  const style = getComputedStyle(plot);
  const made = shape("g", { "font-family": style.fontFamily, "font-size": style.fontSize, fill: style.color });
  let x = 10;
  for (const swatch of swatches) {
    const sign = swatch.querySelector("svg") as SVGSVGElement;
    made.append(shape("rect", { x, y: 7, width: 12, height: 12, fill: getComputedStyle(sign).fill }));
    const words = shape("text", { x: x + 17, y: 17 });
    words.textContent = (swatch.textContent ?? "").trim();
    made.append(words);
    x += 17 + swatch.getBoundingClientRect().width;
  }
  return made;
}

export const textOf = (svg: SVGSVGElement): string => new XMLSerializer().serializeToString(svg);

export function savePlot(box: HTMLElement, title: string): void {
  const made = standalone(box);
  if (made) offer(new Blob([textOf(made)], { type: "image/svg+xml" }), `${nameOf(title)}.svg`);
}

/** Drawn three times as fine. */
export async function imageOf(made: SVGSVGElement): Promise<HTMLCanvasElement> {
  const [width, height] = ["width", "height"].map((name) => Number(made.getAttribute(name)));
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(made))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  const fine = 3;
  canvas.width = width * fine;
  canvas.height = height * fine;
  const drawing = canvas.getContext("2d");
  drawing?.scale(fine, fine);
  drawing?.drawImage(image, 0, 0, width, height);
  return canvas;
}

export async function saveImage(box: HTMLElement, title: string): Promise<void> {
  const made = standalone(box);
  if (made) (await imageOf(made)).toBlob((data) => data && offer(data, `${nameOf(title)}.png`), "image/png");
}

/** Making and changing elements. Nothing here reads layout. */

export type Child = Node | string;

/** An element with attributes ('class', 'aria-label', ...) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A button with its words, and what it does. */
export function button(
  text: string,
  pressed: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const element = el('button', { type: 'button', ...attributes }, text);
  element.addEventListener('click', pressed);
  return element;
}

const texts = new WeakMap<Node, string>();

/** Writes only what has changed. For elements whose text nobody else changes. */
export function setText(node: Node, text: string): void {
  if (texts.get(node) === text) return;
  texts.set(node, text);
  node.textContent = text;
}

export function setAttribute(element: Element, name: string, value: string | null): void {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

export function setClass(element: Element, name: string, on: boolean): void {
  if (element.classList.contains(name) !== on) element.classList.toggle(name, on);
}

const TYPING = 'input:not([type="range"]), textarea, select, [contenteditable="true"]';

/** @return whether a key with a letter was meant for what has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPING) !== null;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A small picture beside words: hidden from readers. */
export function icon(path: string, box = 24): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${box} ${box}`);
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}

export function iconButton(
  label: string,
  path: string,
  pressed: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const element = button('', pressed, {
    class: 'icon-button',
    'aria-label': label,
    title: label,
    ...attributes,
  });
  element.append(icon(path));
  return element;
}

// The frame around pages that are lists: title, theme, content.
import { el } from './dom';

/** The frame of pages that are lists rather than a race. */
export function pageFrame(
  title: string,
  buttons: readonly HTMLElement[],
  links: HTMLElement[],
): HTMLElement {
  const brand = el('a', { class: 'brand', href: '/?list=1', title: 'All races and recordings' });
  brand.append(el('img', { src: '/icon.svg', alt: 'Apex', width: '26', height: '26' }));
  const head = el(
    'header',
    { class: 'header' },
    brand,
    el('div', { class: 'header-names' }, el('h1', { class: 'header-title' }, title)),
    el('div', { class: 'header-about' }, ...links),
    el('div', { class: 'header-actions' }, ...buttons),
  );
  return el('div', { class: 'sheet' }, head);
}

import type { Page } from 'playwright-core';

/** The faults that hinder a thumb on the open page or dialog of a phone: too small, cut, or beyond the edge. */
export const stopsOf = (page: Page): Promise<readonly string[]> => page.evaluate(findStops);

/** Runs in the page, where nothing else of this file is. */
function findStops(): readonly string[] {
  const FINGER_PX = 43.5;
  const TAPPED = 'a[href], button, input, select, textarea, summary, [role=tab], [role=treeitem]';
  const scope = document.querySelector('dialog[open]') ?? document.body;
  const found: string[] = [];
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this function is there in the page
  const nameOf = (element: Element): string => {
    const text = (element.textContent.trim() || (element.getAttribute('aria-label') ?? '')).slice(0, 30);
    return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} “${text}”`;
  };
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this function is there in the page
  const isInText = (element: Element): boolean => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this function is there in the page
    const isInline = (one: Element): boolean => getComputedStyle(one).display === 'inline';
    let around = element;
    while (isInline(around) && around.parentElement !== null) around = around.parentElement;
    return isInline(element) && around.textContent.trim() !== element.textContent.trim();
  };
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this function is there in the page
  const widthOf = (text: string, font: string): number => {
    const context = document.createElement('canvas').getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.font = font;
    return context.measureText(text).width;
  };
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} px wide`);
  if (scope !== document.body && scope.scrollWidth > scope.clientWidth)
    found.push(`the dialog is ${scope.scrollWidth} px wide inside of ${scope.clientWidth}`);
  for (const element of scope.querySelectorAll('*')) {
    const isSeen = element.checkVisibility({ visibilityProperty: true });
    if (!isSeen || element.closest('.unseen, svg, .cm-editor') !== null) continue;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const hasText = [...element.childNodes].some(
      ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && (textContent ?? '').trim() !== '',
    );
    // An ellipsis says that it is cut; what scrolls can be read.
    const isCut =
      hasText &&
      style.display !== 'inline' &&
      style.textOverflow !== 'ellipsis' &&
      !element.matches('textarea, select, pre, dialog') &&
      element.scrollWidth > element.clientWidth + 1;
    if (isCut) found.push(`cut: ${nameOf(element)}`);
    const isHigh = element.matches('.row > a > *') && box.height > (element.parentElement?.clientHeight ?? 0);
    if (isHigh) found.push(`higher than its row: ${nameOf(element)}`);
    let shown = '';
    if (element instanceof HTMLSelectElement) shown = element.selectedOptions[0]?.textContent ?? '';
    else if (element instanceof HTMLInputElement && element.value === '') shown = element.placeholder;
    const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (shown !== '' && style.textOverflow !== 'ellipsis' && widthOf(shown, style.font) > room + 1)
      found.push(`cut: “${shown}”`);
    const isChecked = element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
    const { height } = isChecked ? (element.closest('label') ?? element).getBoundingClientRect() : box;
    if (element.matches(TAPPED) && box.width > 1 && height < FINGER_PX && !isInText(element))
      found.push(`${height.toFixed(1)} px high: ${nameOf(element)}`);
  }
  return [...new Set(found)];
}

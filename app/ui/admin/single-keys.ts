import { KEYS_ITEM } from '#app/lib/stored-items.ts'

const TYPING_SELECTOR =
  'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]'

/** A key belongs to a field, menu or dialog rather than to a shortcut. */
export const isTyping = ({ target }: Event): boolean =>
  document.querySelector('.overlay') !== null || (target instanceof Element && target.closest(TYPING_SELECTOR) !== null)

/** Whether shortcuts of one key work in this browser. Storage may be blocked: the setting then lasts until the page is left. */
export function readSingleKeys(): boolean {
  try {
    return window.localStorage.getItem(KEYS_ITEM.name) !== 'off'
  } catch {
    return true
  }
}

export function storeSingleKeys(on: boolean): void {
  try {
    window.localStorage.setItem(KEYS_ITEM.name, on ? 'on' : 'off')
  } catch {
    return
  }
}

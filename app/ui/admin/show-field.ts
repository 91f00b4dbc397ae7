const EVENT = 'parley:show-field'

/** Asks whatever holds the field to show it, before it is focused: its language may not be the one that is open. */
export const showField = (id: string): void => {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: id }))
}

/** @param show called with the id of the field to show @returns a function that stops listening */
export function onShowField(show: (id: string) => void): () => void {
  const listener = (event: Event) => show(String((event as CustomEvent<unknown>).detail))
  window.addEventListener(EVENT, listener)
  return () => window.removeEventListener(EVENT, listener)
}

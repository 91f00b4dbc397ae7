import { type RefObject, useRef } from 'react'

/**
 * For the buttons of a text in a list of those that wait for a decision. Once a text is decided it leaves the list, and focus goes to the
 * next one; after the last, to the one before it, or to the page.
 * @returns the buttons' ref, and what to do once the list is loaded again. Ask for it before the list is loaded.
 */
export function useFocusOnNext(): { buttons: RefObject<HTMLDivElement | null>; findNext: () => () => void } {
  const buttons = useRef<HTMLDivElement>(null)
  const findNext = () => {
    const own = buttons.current?.closest<HTMLElement>('.moderated')
    if (!own) return () => {}
    const waiting = [...document.querySelectorAll<HTMLElement>('.moderated')]
    const index = waiting.indexOf(own)
    const next = waiting[index + 1] ?? waiting[index - 1] ?? document.querySelector<HTMLElement>('#main')
    // A closing dialog restores focus in the next frame.
    return () => requestAnimationFrame(() => requestAnimationFrame(() => !own.isConnected && next?.focus()))
  }
  return { buttons, findNext }
}

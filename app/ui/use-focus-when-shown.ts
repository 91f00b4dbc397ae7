import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useHydrated } from './use-hydrated.ts'

/**
 * Focuses a notice when it appears, and again when its text changes. In a page from the server, `autofocus` has already focused it, so
 * hydration does not move the focus again: the user may have moved on to a field.
 * @param said the notice's text; empty if it is not shown
 */
export function useFocusWhenShown(said: string): RefObject<HTMLDivElement | null> {
  const notice = useRef<HTMLDivElement>(null)
  const mayMoveFocus = useRef(useHydrated())
  useLayoutEffect(() => {
    if (said && (mayMoveFocus.current || document.activeElement === document.body)) notice.current?.focus()
    mayMoveFocus.current = true
  }, [said])
  return notice
}

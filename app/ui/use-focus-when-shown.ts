import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useHydrated } from './use-hydrated.ts'

/**
 * For a notice that takes focus when it appears, and again when what it says changes. The server's page has given it focus by `autofocus`
 * already, so scripts that start later leave the focus wherever somebody has moved it since.
 * @param said what the notice says; empty if it is not shown
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

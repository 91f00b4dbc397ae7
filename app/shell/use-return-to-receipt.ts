import { useEffectEvent, useLayoutEffect } from 'react'
import { toLocalHref } from './language-rewrite.ts'

/**
 * For the page of a form that was sent already: who comes back to it with the browser's Back gets the receipt, not an empty form.
 * @param findReceipt the path of the receipt; nothing if the form holds something that was not sent
 */
export function useReturnToReceipt(findReceipt: () => string | false | null | undefined): void {
  const find = useEffectEvent(findReceipt)
  // Before other effects keep what the browser itself has filled in again.
  useLayoutEffect(() => {
    const [opened] = performance.getEntriesByType('navigation')
    // Also the address: the router may have gone on from the page that Back has opened.
    if (!(opened instanceof PerformanceNavigationTiming) || opened.type !== 'back_forward' || opened.name !== location.href) return
    const receipt = find()
    if (receipt) location.replace(toLocalHref(receipt))
  }, [])
}

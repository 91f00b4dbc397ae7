import { useEffect, useState } from 'react'

const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'scroll'] as const

/** True once the person has done anything on the page: what only they can set going need not be loaded before. */
export function useFirstUse(): boolean {
  const [isUsed, setUsed] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const use = () => {
      setUsed(true)
      stop.abort()
    }
    // They may have done something before this script ran.
    if (window.scrollY > 0 || navigator.userActivation?.hasBeenActive) use()
    for (const sign of SIGNS) window.addEventListener(sign, use, { passive: true, capture: true, signal: stop.signal })
    return () => stop.abort()
  }, [])
  return isUsed
}

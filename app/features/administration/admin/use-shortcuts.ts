import { KEYS_ITEM } from '#app/lib/stored-items.ts'
import { useEffect, useRef, useState } from 'react'

export interface Shortcut {
  /** One key, or two that are pressed one after the other. */
  keys: readonly string[]
  label: string
  onPress: () => void
}

const KEPT = KEYS_ITEM.name
/** A second key that comes later begins anew. */
const TOGETHER_MS = 1500
const TYPED_IN = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]'

/**
 * Keys that do something anywhere: Ctrl or Cmd with K opens the palette; those of a letter alone work where nothing is typed, with
 * no dialog open, and can be switched off in this browser, since they hinder those who speak to their computer.
 */
export function useShortcuts(shortcuts: readonly Shortcut[], openPalette: () => void): { on: boolean; setOn: (on: boolean) => void } {
  const [on, setOn] = useState(() => kept() !== 'off')
  const first = useRef<{ key: string; at: number }>(undefined)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return
      if (event.ctrlKey || event.metaKey) {
        if (event.key.toLowerCase() !== 'k' || event.shiftKey || document.querySelector('.overlay')) return
        event.preventDefault()
        return openPalette()
      }
      const busy = document.querySelector('.overlay') || (event.target instanceof Element && event.target.closest(TYPED_IN))
      if (!on || busy || event.repeat) return
      const before = first.current && event.timeStamp - first.current.at < TOGETHER_MS ? first.current.key : undefined
      const hit = shortcuts.find(({ keys }) => (keys.length === 1 ? keys[0] === event.key : keys[0] === before && keys[1] === event.key))
      first.current = hit ? undefined : { key: event.key, at: event.timeStamp }
      if (!hit) return
      event.preventDefault()
      hit.onPress()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [on, shortcuts, openPalette])
  return {
    on,
    setOn: (next) => {
      keep(next ? 'on' : 'off')
      setOn(next)
    },
  }
}

// A browser may refuse to keep anything: then the switch holds until the page is left.
function kept(): string | null {
  try {
    return window.localStorage.getItem(KEPT)
  } catch {
    return null
  }
}

function keep(value: string): void {
  try {
    window.localStorage.setItem(KEPT, value)
  } catch {
    return
  }
}

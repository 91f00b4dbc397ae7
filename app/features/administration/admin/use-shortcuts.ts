import { KEYS_ITEM } from '#app/lib/stored-items.ts'
import { useEffect, useRef, useState } from 'react'

export interface Shortcut {
  /** One key, or two pressed in sequence. */
  keys: readonly string[]
  label: string
  onPress: () => void
}

const STORAGE_KEY = KEYS_ITEM.name
/** After this pause, a second key starts a new sequence. */
const SEQUENCE_TIMEOUT_MS = 1500
const TYPING_SELECTOR =
  'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]'

/**
 * Global shortcuts. Ctrl or Cmd + K opens the palette. Letter shortcuts are ignored while typing or while a dialog is open, and can be
 * turned off in this browser because they get in the way of speech input (WCAG 2.1.4).
 */
export function useShortcuts(shortcuts: readonly Shortcut[], openPalette: () => void): { on: boolean; setOn: (on: boolean) => void } {
  const [on, setOn] = useState(() => readStoredSetting() !== 'off')
  const first = useRef<{ key: string; at: number }>(undefined)
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return
      if (event.ctrlKey || event.metaKey) {
        if (event.key.toLowerCase() !== 'k' || event.shiftKey || document.querySelector('.overlay')) return
        event.preventDefault()
        return openPalette()
      }
      const busy = document.querySelector('.overlay') || (event.target instanceof Element && event.target.closest(TYPING_SELECTOR))
      if (!on || busy || event.repeat) return
      const before = first.current && event.timeStamp - first.current.at < SEQUENCE_TIMEOUT_MS ? first.current.key : undefined
      const hit = shortcuts.find(({ keys }) => (keys.length === 1 ? keys[0] === event.key : keys[0] === before && keys[1] === event.key))
      first.current = hit ? undefined : { key: event.key, at: event.timeStamp }
      if (!hit) return
      event.preventDefault()
      hit.onPress()
    }
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [on, shortcuts, openPalette])
  return {
    on,
    setOn: (next) => {
      storeSetting(next ? 'on' : 'off')
      setOn(next)
    },
  }
}

// Storage may be blocked: the setting then lasts until the page is left.
function readStoredSetting(): string | null {
  try {
    return window.localStorage.getItem(STORAGE_KEY)
  } catch {
    return null
  }
}

function storeSetting(value: string): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, value)
  } catch {
    return
  }
}

import { useEffect, useRef, useState } from 'react'
import { isTyping, readSingleKeys, storeSingleKeys } from '#app/ui/admin/single-keys.ts'

export interface Shortcut {
  /** One key, or two pressed in sequence. */
  keys: readonly string[]
  label: string
  onPress: () => void
}

/** After this pause, a second key starts a new sequence. */
const SEQUENCE_TIMEOUT_MS = 1500

/**
 * Global shortcuts. Ctrl or Cmd + K opens the palette. Letter shortcuts are ignored while typing or while a dialog is open, and can be
 * turned off in this browser because they get in the way of speech input (WCAG 2.1.4).
 */
export function useShortcuts(shortcuts: readonly Shortcut[], openPalette: () => void): { on: boolean; setOn: (on: boolean) => void } {
  const [on, setOn] = useState(readSingleKeys)
  const first = useRef<{ key: string; at: number }>(undefined)
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return
      if (event.ctrlKey || event.metaKey) {
        if (event.key.toLowerCase() !== 'k' || event.shiftKey || document.querySelector('.overlay')) return
        event.preventDefault()
        return openPalette()
      }
      if (!on || isTyping(event) || event.repeat) return
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
      storeSingleKeys(next)
      setOn(next)
    },
  }
}

import { useState } from 'react'

/**
 * The selected tab, kept in the address after `#`, so that a reload or a copied address opens it. The router does not take part: choosing
 * a tab loads nothing, and asks nobody whether to leave unsaved changes.
 */
export function useKeptTab(ids: readonly string[]): [selected: string | undefined, select: (id: string) => void] {
  const [selected, setSelected] = useState(() => {
    const kept = window.location.hash.slice(1)
    return ids.includes(kept) ? kept : ids[0]
  })
  const select = (id: string) => {
    setSelected(id)
    // The router replaces the method of this history; the prototype's own only changes the address.
    History.prototype.replaceState.call(window.history, window.history.state, '', `#${id}`)
  }
  return [selected, select]
}

/** What a device stores for a form: its fields as they would be sent, in order. */
export type FormFields = [name: string, value: string][]

/** @returns false if storage is full or disabled: the page then does not claim to save */
export function storeOnDevice(key: string, kept: object): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ at: Date.now(), ...kept }))
    return true
  } catch {
    return false
  }
}

/** @param seconds how long it is kept; what is older is removed */
export function readFromDevice<Kept extends object>(key: string, seconds: number): Partial<Kept> {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as (Partial<Kept> & { at: number }) | null
    if (stored && Date.now() - stored.at < seconds * 1000) return stored
    if (stored) removeFromDevice(key)
  } catch {
    // Storage is disabled, or holds something we did not write.
  }
  return {}
}

export function removeFromDevice(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is disabled: there is nothing to remove.
  }
}

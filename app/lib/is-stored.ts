/** Whether the browser has stored something under this key. */
export function isStored(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    // Storage is disabled.
    return false
  }
}

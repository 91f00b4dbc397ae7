import { useState } from 'react'

/**
 * Layers unsaved input over saved fields: `changed` lists the fields that differ. Input survives a reload of the saved version, so that a
 * stale save loses nothing.
 */
export function useEditedFields<Fields extends object>(saved: Fields) {
  const [typed, setTyped] = useState<Partial<Fields>>({})
  const fields = { ...saved, ...typed }
  const changed = (Object.keys(typed) as (keyof Fields & string)[]).filter(
    (name) => JSON.stringify(typed[name]) !== JSON.stringify(saved[name]),
  )
  return {
    fields,
    changed,
    values: Object.fromEntries(changed.map((name) => [name, fields[name]])) as Partial<Fields>,
    change: (next: Partial<Fields>) => setTyped((now) => ({ ...now, ...next })),
    /** Call after saving. @param sent the values that were saved: input that changed since then is kept */
    reset: (sent?: Partial<Fields>) =>
      setTyped((now) => {
        if (!sent) return {}
        const since = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name as keyof Fields]))
        return Object.fromEntries(since) as Partial<Fields>
      }),
  }
}

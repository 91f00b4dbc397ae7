import { useState } from 'react'

/**
 * What somebody types over what is saved: `changed` names the fields that differ. What is typed stays when the saved version is read
 * anew, so that a stale save loses nothing.
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
    /** Once it is saved. @param sent what was: whatever was typed since stays */
    reset: (sent?: Partial<Fields>) =>
      setTyped((now) => {
        if (!sent) return {}
        const since = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name as keyof Fields]))
        return Object.fromEntries(since) as Partial<Fields>
      }),
  }
}

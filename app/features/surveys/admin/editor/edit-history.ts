/** Undo and redo history. */
export interface EditHistory<T> {
  past: readonly T[]
  present: T
  future: readonly T[]
  /** What the last step changed, and when: continuous typing in one field is one step. */
  last?: { key: string; at: number } | undefined
}

const MAX_STEPS = 200
const ONE_STEP_MS = 2000

export const startHistory = <T>(present: T): EditHistory<T> => ({ past: [], present, future: [] })

/** @param key names what is changed, such as the field; without a key each change is a separate step */
export function recordStep<T>(history: EditHistory<T>, present: T, key: string | undefined, at: number): EditHistory<T> {
  if (present === history.present) return history
  const goesOn = key !== undefined && history.last?.key === key && at - history.last.at < ONE_STEP_MS && history.future.length === 0
  return {
    past: goesOn ? history.past : [...history.past, history.present].slice(-MAX_STEPS),
    present,
    future: [],
    last: key === undefined ? undefined : { key, at },
  }
}

export function undoStep<T>({ past, present, future }: EditHistory<T>): EditHistory<T> {
  const before = past.at(-1)
  if (past.length === 0) return { past, present, future }
  return { past: past.slice(0, -1), present: before as T, future: [present, ...future] }
}

export function redoStep<T>({ past, present, future }: EditHistory<T>): EditHistory<T> {
  if (future.length === 0) return { past, present, future }
  return { past: [...past, present], present: future[0] as T, future: future.slice(1) }
}

/** What can be undone and redone. */
export interface UndoSteps<Content> {
  past: readonly Content[]
  present: Content
  future: readonly Content[]
  /** What the last step changed, and when: uninterrupted typing in one field is one step. */
  last?: { place: string; at: number } | undefined
}

const MAX_STEPS = 200
const ONE_STEP_MS = 2000

export const startSteps = <Content>(present: Content): UndoSteps<Content> => ({ past: [], present, future: [] })

/** @param place names what is changed, such as the field; without it each change is a separate step */
export function recordStep<Content>(steps: UndoSteps<Content>, present: Content, place?: string, at = 0): UndoSteps<Content> {
  const { past, present: before, future, last } = steps
  if (present === before) return steps
  const isSameStep = place !== undefined && last?.place === place && at - last.at < ONE_STEP_MS && future.length === 0
  return {
    past: isSameStep ? past : [...past, before].slice(-MAX_STEPS),
    present,
    future: [],
    last: place === undefined ? undefined : { place, at },
  }
}

export function undoStep<Content>(steps: UndoSteps<Content>): UndoSteps<Content> {
  const { past, present, future } = steps
  if (past.length === 0) return steps
  return { past: past.slice(0, -1), present: past.at(-1) as Content, future: [present, ...future] }
}

export function redoStep<Content>(steps: UndoSteps<Content>): UndoSteps<Content> {
  const { past, present, future } = steps
  if (future.length === 0) return steps
  return { past: [...past, present], present: future[0] as Content, future: future.slice(1) }
}

/** The same steps with something applied to each: undoing them later does not undo that. */
export const mapSteps = <Content>(steps: UndoSteps<Content>, apply: (content: Content) => Content): UndoSteps<Content> => ({
  ...steps,
  past: steps.past.map(apply),
  present: apply(steps.present),
  future: steps.future.map(apply),
})

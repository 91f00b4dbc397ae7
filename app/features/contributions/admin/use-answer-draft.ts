import { useEffect, useState, useSyncExternalStore } from 'react'
import { type AnswerDraft, DraftKeeper, toKey, type WrittenAnswer } from './draft-keeper.ts'

/** Keeps what a form says in the team's draft. @param stored as it was when writing began */
export function useAnswerDraft(contribution: string, stored: AnswerDraft | undefined, written: WrittenAnswer) {
  const [keeper] = useState(() => new DraftKeeper(contribution, stored, written))
  const { base, theirs, error, isSaving, saved } = useSyncExternalStore(keeper.subscribe, keeper.read, keeper.read)
  const key = toKey(written)
  useEffect(() => keeper.write(JSON.parse(key) as WrittenAnswer), [keeper, key])
  useEffect(() => () => keeper.save(), [keeper])
  return { base, theirs, error, isSaving, isSaved: base !== undefined && key === saved, keeper }
}

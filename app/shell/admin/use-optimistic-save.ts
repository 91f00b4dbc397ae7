import { startTransition, useOptimistic } from 'react'

/**
 * A value that is saved as soon as it is chosen. It shows the choice at once, and the stored value again if saving fails. A mutation tells its
 * component too late: by then React has already set the checkbox back.
 * @param save resolves when `stored` is up to date again; shows its own error
 */
export function useOptimisticSave<Value>(
  stored: Value,
  save: (value: Value) => Promise<unknown>,
): readonly [Value, (value: Value) => void] {
  const [shown, show] = useOptimistic(stored)
  const choose = (value: Value) =>
    startTransition(async () => {
      show(value)
      await save(value).catch(() => undefined)
    })
  return [shown, choose]
}

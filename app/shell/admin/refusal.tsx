import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { Notice } from '#app/ui/notice.tsx'

/** Why the server refused what the button beside it asked for. */
export function Refusal({ error }: { error: unknown }) {
  const { describeError } = useFaultTexts()
  return error ? <Notice kind="error" title={describeError(error)} /> : null
}

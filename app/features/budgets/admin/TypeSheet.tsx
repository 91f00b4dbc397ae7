import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetBudgets } from '../budgets.queries.ts'
import type { RoundDocument } from './EditRound.tsx'
import { describeMarks, NO_MARKS, SheetMarks } from './SheetMarks.tsx'

const NOTHING = { code: '', ...NO_MARKS }

/** The form for one sheet after another. */
export function TypeSheet({ round, batch }: { round: RoundDocument; batch: string }) {
  const { t } = useTranslation('budgets-admin')
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState(NOTHING)
  const [saved, setSaved] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const change = (more: Partial<typeof NOTHING>) => setTyped((before) => ({ ...before, ...more }))
  const save = useMutation({
    mutationFn: () =>
      api.create('budget-paper-typings', {
        attributes: { code: typed.code, options: [], ...describeMarks(round, typed) },
        relationships: { batch: { type: 'budget-paper-batches', id: batch } },
      }),
    onMutate: () => setSaved(undefined),
    onSuccess: async ({ data: { number, state } }) => {
      setTyped(NOTHING)
      setSaved(t('paper.saved', { number, state: t(`paper.states.${state}`) }))
      form.current?.querySelector('input')?.focus()
      await forgetBudgets(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  return (
    <form ref={form} className="admin-form" onSubmit={submit} aria-labelledby="type-heading">
      <h2 id="type-heading">{t('paper.type')}</h2>
      <p>{t('paper.type-text')}</p>
      <div aria-live="polite">{saved && <Notice kind="success" title={saved} />}</div>
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <TextInput
        name="code"
        label={t('paper.code')}
        value={typed.code}
        onChange={(code) => change({ code })}
        maxLength={40}
        error={words.messageOf('code')}
      />
      <SheetMarks round={round} marks={typed} onChange={change} messageOf={words.messageOf} />
      <div className="row">
        <Button type="submit" pending={save.isPending}>
          {t('paper.save')}
        </Button>
      </div>
    </form>
  )
}

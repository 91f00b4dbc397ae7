import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { CheckInput, NumberInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetBudgets, optionsQuery, potsQuery } from '../budgets.queries.ts'
import type { RoundDocument } from './EditRound.tsx'

const NOTHING = { code: '', points: {} as Readonly<Record<number, number>>, isSpoilt: false, spoiltReason: '' }

/** The form for one sheet after another. Where ballots give no points, a ticked option has one. */
export function TypeSheet({ round, batch }: { round: RoundDocument; batch: string }) {
  const { t } = useTranslation('budgets-admin')
  const queryClient = useQueryClient()
  const pots = useSuspenseQuery(potsQuery(round.id)).data.data
  const options = useSuspenseQuery(optionsQuery(round.id)).data.data.filter(({ state }) => state === 'feasible')
  const [typed, setTyped] = useState(NOTHING)
  const [saved, setSaved] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const hasPoints = round.ballotType === 'points'
  const change = (more: Partial<typeof NOTHING>) => setTyped((before) => ({ ...before, ...more }))
  const setPoints = (number: number, value: number) =>
    change({ points: Object.fromEntries(Object.entries({ ...typed.points, [number]: value }).filter(([, points]) => points > 0)) })
  const save = useMutation({
    mutationFn: () => {
      const chosen = Object.keys(typed.points).map(Number)
      const marks = typed.isSpoilt
        ? { options: [], spoiltReason: typed.spoiltReason }
        : { options: chosen, ...(hasPoints && { points: chosen.map((number) => typed.points[number] ?? 0) }) }
      return api.create('budget-paper-typings', {
        attributes: { code: typed.code, ...marks },
        relationships: { batch: { type: 'budget-paper-batches', id: batch } },
      })
    },
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
      <CheckInput name="isSpoilt" label={t('paper.spoilt')} value={typed.isSpoilt} onChange={(isSpoilt) => change({ isSpoilt })} />
      {typed.isSpoilt ? (
        <TextInput
          name="spoiltReason"
          label={t('paper.spoilt-reason')}
          value={typed.spoiltReason}
          onChange={(spoiltReason) => change({ spoiltReason })}
          maxLength={300}
          error={words.messageOf('spoiltReason')}
        />
      ) : (
        pots.map((pot) => (
          <fieldset key={pot.id}>
            <legend>{pot.title}</legend>
            {options
              .filter(({ relationships }) => relationships.pot?.id === pot.id)
              .map(({ number, title }) => {
                const label = `${number}. ${title}`
                return hasPoints ? (
                  <NumberInput
                    key={number}
                    name={`points-${number}`}
                    label={t('paper.points-of', { option: label })}
                    value={typed.points[number]}
                    onChange={(value = 0) => setPoints(number, value)}
                    min={0}
                    max={round.maxPoints ?? 0}
                  />
                ) : (
                  <CheckInput
                    key={number}
                    name={`option-${number}`}
                    label={label}
                    value={number in typed.points}
                    onChange={(isTicked) => setPoints(number, isTicked ? 1 : 0)}
                  />
                )
              })}
          </fieldset>
        ))
      )}
      <div className="row">
        <Button type="submit" pending={save.isPending}>
          {t('paper.save')}
        </Button>
      </div>
    </form>
  )
}

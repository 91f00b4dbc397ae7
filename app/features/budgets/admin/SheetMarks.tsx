import { useSuspenseQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckInput, NumberInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { optionsQuery, potsQuery } from '../budgets.queries.ts'
import type { RoundDocument } from './EditRound.tsx'

/** The marks on a sheet, as typed so far. On ballots without points, a ticked option has one point. */
export interface Marks {
  points: Readonly<Record<number, number>>
  isSpoilt: boolean
  spoiltReason: string
}

export const NO_MARKS: Marks = { points: {}, isSpoilt: false, spoiltReason: '' }

/** As the API takes them. */
export function describeMarks(
  { ballotType }: Pick<RoundDocument, 'ballotType'>,
  { points, isSpoilt, spoiltReason }: Marks,
): { options?: number[]; points?: number[]; spoiltReason?: string } {
  if (isSpoilt) return { spoiltReason }
  const options = Object.keys(points).map(Number)
  return { options, ...(ballotType === 'points' && { points: options.map((number) => points[number] ?? 0) }) }
}

interface SheetMarksProps {
  round: RoundDocument
  marks: Marks
  onChange: (more: Partial<Marks>) => void
  messageOf: (name: string) => string | undefined
}

/** The fields for what is on a sheet. */
export function SheetMarks({ round, marks, onChange, messageOf }: SheetMarksProps) {
  const { t } = useTranslation('budgets-admin')
  // The form of the page and a dialog may be open together.
  const id = useId()
  const pots = useSuspenseQuery(potsQuery(round.id)).data.data
  const options = useSuspenseQuery(optionsQuery(round.id)).data.data.filter(({ state }) => state === 'feasible')
  const hasPoints = round.ballotType === 'points'
  const setPoints = (number: number, value: number) =>
    onChange({ points: Object.fromEntries(Object.entries({ ...marks.points, [number]: value }).filter(([, points]) => points > 0)) })
  return (
    <>
      <CheckInput
        id={`${id}-spoilt`}
        name="isSpoilt"
        label={t('paper.spoilt')}
        value={marks.isSpoilt}
        onChange={(isSpoilt) => onChange({ isSpoilt })}
      />
      {marks.isSpoilt ? (
        <TextInput
          id={`${id}-reason`}
          name="spoiltReason"
          label={t('paper.spoilt-reason')}
          value={marks.spoiltReason}
          onChange={(spoiltReason) => onChange({ spoiltReason })}
          maxLength={300}
          error={messageOf('spoiltReason')}
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
                    id={`${id}-${number}`}
                    name={`points-${number}`}
                    label={t('paper.points-of', { option: label })}
                    value={marks.points[number]}
                    onChange={(value = 0) => setPoints(number, value)}
                    min={0}
                    max={round.maxPoints ?? 0}
                  />
                ) : (
                  <CheckInput
                    key={number}
                    id={`${id}-${number}`}
                    name={`option-${number}`}
                    label={label}
                    value={number in marks.points}
                    onChange={(isTicked) => setPoints(number, isTicked ? 1 : 0)}
                  />
                )
              })}
          </fieldset>
        ))
      )}
    </>
  )
}

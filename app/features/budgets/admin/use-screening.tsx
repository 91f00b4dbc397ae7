import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { hasText, type Translated } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { BulkDialog } from '#app/shell/bulk-dialog.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { NumberInput } from '#app/ui/admin/inputs.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import type { ChosenRows } from '#app/ui/admin/row-selection.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { forgetBudgets } from '../budgets.queries.ts'
import type { OptionDocument } from './EditOption.tsx'
import type { RoundDocument } from './EditRound.tsx'

const STEPS = ['feasible', 'not_feasible'] as const
type Step = (typeof STEPS)[number]

interface ScreeningProps {
  round: RoundDocument
  pots: readonly Resource<'budget-pots'>[]
  chosen: ChosenRows<OptionDocument>
}

/** Screens the selected ideas: on the ballot, each with its cost, or not feasible, all for one reason. A menu for the table's bar, and the dialog. */
export function useScreening({ round, pots, chosen }: ScreeningProps): { actions: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation('budgets-admin')
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  const site = useSite()
  const queryClient = useQueryClient()
  const words = useEditorTexts(null)
  const [step, setStep] = useState<Step>()
  const [reason, setReason] = useState<Translated>({})
  /** In whole units of the currency, as typed. */
  const [costs, setCosts] = useState<ReadonlyMap<string, number | undefined>>(new Map())

  const findCost = ({ id, cost }: OptionDocument) => (costs.has(id) ? costs.get(id) : cost === null ? undefined : cost / 100)
  const refuseCost = (option: OptionDocument): string | undefined => {
    const cost = findCost(option)
    const pot = pots.find(({ id }) => id === option.relationships.pot?.id)
    if (!cost) return errors('codes.cost-missing')
    return pot && Math.round(cost * 100) > pot.amount ? errors('codes.above-the-pot') : undefined
  }
  const screen = async (option: OptionDocument) => {
    const { id, meta } = option
    const attributes =
      step === 'feasible'
        ? { state: 'feasible' as const, cost: Math.round((findCost(option) ?? 0) * 100) }
        : { state: 'not_feasible' as const, reasonTranslations: reason }
    await api.update('budget-options', id, { attributes }, { lockVersion: meta.lockVersion })
  }
  const countOptions = (count: number) => t('screening.options', { count, number: format.number(count) })

  return {
    actions: (
      <Menu
        label={t('screening.screen')}
        look={{ kind: 'secondary', size: 'small' }}
        groups={[
          STEPS.map((each) => ({
            id: each,
            label: t(`screening.${each}.open`),
            onAction: () => {
              setReason({})
              setCosts(new Map())
              setStep(each)
            },
          })),
        ]}
      />
    ),
    dialog: step && (
      <BulkDialog
        rows={chosen.rows}
        nameOf={({ title }) => title}
        refuse={(option) => (step === 'feasible' ? refuseCost(option) : undefined)}
        act={screen}
        // Before costs are entered, none of the options can be put on the ballot.
        title={(count) => t(`screening.${step}.title`, { what: countOptions(count || chosen.rows.length) })}
        text={t(`screening.${step}.text`)}
        confirmLabel={t(`screening.${step}.yes`)}
        done={(count) => t(`screening.${step}.done`, { what: countOptions(count) })}
        ready={step === 'feasible' || hasText(reason)}
        onEnd={(failed) => {
          chosen.onChange(new Set(failed.map(({ id }) => id)))
          void forgetBudgets(queryClient)
        }}
        onClose={() => setStep(undefined)}
      >
        {step === 'feasible' ? (
          <div className="admin-form">
            {chosen.rows.map((option) => (
              <NumberInput
                key={option.id}
                name={`cost.${option.id}`}
                label={t('screening.cost-of', { option: option.title })}
                unit={round.currency}
                value={findCost(option)}
                onChange={(cost) => setCosts(new Map(costs).set(option.id, cost))}
                min={0}
                max={10_000_000_000}
                step={0.01}
                digits={10}
              />
            ))}
          </div>
        ) : (
          <TranslatedTexts
            languages={site.contentLanguages}
            source={site.locale}
            fields={[{ name: 'reasonTranslations', label: t('options.reason'), rows: 3 }]}
            values={{ reasonTranslations: reason }}
            onChange={(_, text) => setReason(text)}
            messageOf={words.messageOf}
            words={words.texts}
          />
        )}
      </BulkDialog>
    ),
  }
}

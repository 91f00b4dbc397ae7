import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'
import { type Column, DataTable } from '#app/ui/admin/data-table.tsx'
import { useChosenRows } from '#app/ui/admin/row-selection.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetBudgets, optionsQuery, overridesQuery, potsQuery, resultsQuery } from '../budgets.queries.ts'
import { useMoney } from '../use-money.ts'
import { AddProposals } from './AddProposals.tsx'
import { readCountedPots } from './counted-pots.ts'
import { EditOption, type OptionDocument, type OptionMapProps } from './EditOption.tsx'
import { FollowUpOption } from './FollowUpOption.tsx'
import { OverrideOption } from './OverrideOption.tsx'
import type { RoundDocument } from './EditRound.tsx'
import { useScreening } from './use-screening.tsx'

const TONES = { idea: 'neutral', feasible: 'ok', not_feasible: 'warn' } as const satisfies Record<string, BadgeTone>

/** Ideas and options, with what screening found. */
export function RoundOptions({ round, renderMap }: { round: RoundDocument; renderMap: (fields: OptionMapProps) => ReactNode }) {
  const { t } = useTranslation('budgets-admin')
  const { t: common } = useTranslation()
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const money = useMoney(round.currency)
  const queryClient = useQueryClient()
  const options = useSuspenseQuery(optionsQuery(round.id)).data.data
  const pots = useSuspenseQuery(potsQuery(round.id)).data.data
  const chosen = useChosenRows(options, ({ id }) => id)
  const screening = useScreening({ round, pots, chosen })
  const [editing, setEditing] = useState<OptionDocument | 'new'>()
  const [adding, setAdding] = useState(false)
  const [following, setFollowing] = useState<OptionDocument>()
  const [overriding, setOverriding] = useState<OptionDocument>()
  const certified = useSuspenseQuery(resultsQuery(round.id)).data.data.find(({ state }) => state === 'certified')
  const overrides = useSuspenseQuery(overridesQuery(round.id)).data.data
  const counted = new Set(readCountedPots(certified?.pots ?? []).flatMap(({ outcomes }) => outcomes[round.rule].funded.map(Number)))
  const findOverride = ({ id }: OptionDocument) => overrides.find(({ relationships }) => relationships.option?.id === id)
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('budget-options', id),
    onSettled: () => forgetBudgets(queryClient),
  })
  const endOverride = useMutation({
    mutationFn: (id: string) => api.remove('budget-overrides', id),
    onSettled: () => forgetBudgets(queryClient),
  })
  const words = useEditorTexts(remove.error ?? endOverride.error)
  const renderOverriding = (option: OptionDocument) => {
    const override = findOverride(option)
    if (override && !override.meta.can.remove) return null
    return (
      <Button kind="plain" size="small" onClick={() => (override ? endOverride.mutate(override.id) : setOverriding(option))}>
        {t(override ? 'overrides.end' : 'overrides.override')}
        <span className="visually-hidden"> {option.title}</span>
      </Button>
    )
  }
  const columns: Column<OptionDocument>[] = [
    { id: 'number', head: t('options.number'), cell: ({ number }) => number, align: 'end' },
    { id: 'title', head: t('options.name'), cell: ({ title }) => title, names: true },
    {
      id: 'pot',
      head: t('options.pot'),
      cell: ({ relationships }) => pots.find(({ id }) => id === relationships.pot?.id)?.title,
      secondary: true,
    },
    { id: 'cost', head: t('options.cost'), cell: ({ cost }) => (cost === null ? '–' : money(cost)), align: 'end' },
    {
      id: 'state',
      head: t('options.state'),
      cell: (option) =>
        option.withdrawn ? (
          <Badge tone="warn">{t('options.withdrawn')}</Badge>
        ) : (
          <span className="row">
            <Badge tone={TONES[option.state]} hollow={option.state === 'idea'}>
              {t(`states.${option.state}`)}
            </Badge>
            {findOverride(option) && (
              <Badge tone="warn">{t(findOverride(option)?.isFunded ? 'overrides.funded' : 'overrides.not-funded')}</Badge>
            )}
          </span>
        ),
    },
    {
      id: 'acts',
      head: <span className="visually-hidden">{t('options.actions')}</span>,
      acts: true,
      cell: (option) => (
        <span className="row">
          {!round.hasBallots && (
            <>
              <Button kind="plain" size="small" onClick={() => setEditing(option)}>
                {t('edit')}
                <span className="visually-hidden"> {option.title}</span>
              </Button>
              <Button kind="plain" size="small" onClick={() => remove.mutate(option.id)}>
                {t('remove')}
                <span className="visually-hidden"> {option.title}</span>
              </Button>
            </>
          )}
          {round.hasBallots && option.state === 'feasible' && (
            <Button kind="plain" size="small" onClick={() => setFollowing(option)}>
              {t(round.phase === 'decided' ? 'options.deliver' : 'options.withdraw')}
              <span className="visually-hidden"> {option.title}</span>
            </Button>
          )}
          {round.meta.can.override && option.state === 'feasible' && !option.withdrawn && renderOverriding(option)}
        </span>
      ),
    },
  ]
  return (
    <section className="admin-stack" aria-labelledby="options-heading">
      <h2 id="options-heading">{t('options.title')}</h2>
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <DataTable
        caption={t('options.title')}
        columns={columns}
        rows={options}
        rowKey={({ id }) => id}
        {...(!round.hasBallots && {
          selection: {
            selected: chosen.ids,
            onChange: chosen.onChange,
            allLabel: admin('bulk.select-all'),
            rowLabel: ({ title }: OptionDocument) => admin('bulk.select', { name: title }),
            summary: (count: number) => admin('bulk.selected', { count, number: format.number(count) }),
            clearLabel: admin('bulk.clear'),
            actions: screening.actions,
          },
        })}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('options.none')}>{t('options.none-text')}</EmptyState>}
      />
      {!round.hasBallots && pots.length > 0 && (
        <div className="row">
          <Button kind="secondary" onClick={() => setEditing('new')}>
            {t('options.add')}
          </Button>
          <Button kind="secondary" onClick={() => setAdding(true)}>
            {t('proposals.add')}
          </Button>
        </div>
      )}
      {adding && <AddProposals round={round} pots={pots} options={options} onClose={() => setAdding(false)} />}
      {screening.dialog}
      {editing && (
        <EditOption
          renderMap={renderMap}
          round={round}
          pots={pots}
          option={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {overriding && (
        <OverrideOption option={overriding} isFunded={counted.has(overriding.number)} onClose={() => setOverriding(undefined)} />
      )}
      {following && <FollowUpOption round={round} option={following} onClose={() => setFollowing(undefined)} />}
    </section>
  )
}

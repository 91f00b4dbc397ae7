import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { NumberInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { forgetBudgets, paperBatchesQuery } from '../budgets.queries.ts'
import { MAX_SHEETS } from '../paper/paper.schema.ts'
import type { RoundDocument } from './EditRound.tsx'

export type PaperBatchDocument = Resource<'budget-paper-batches'>

/** Batches of paper ballots of a round. */
export function PaperBatches({ round, project }: { round: RoundDocument; project: string }) {
  const { t } = useTranslation('budgets-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const batches = useSuspenseQuery(paperBatchesQuery(round.id)).data.data
  const [isMaking, setMaking] = useState(false)
  return (
    <section className="admin-stack" aria-labelledby="paper-heading">
      <h2 id="paper-heading">{t('paper.title')}</h2>
      <p>
        {t('paper.about')} {t(`paper-hints.${round.paper}`)}
      </p>
      <DataTable
        caption={t('paper.title')}
        rows={batches}
        rowKey={({ id }) => id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('paper.none')}>{t('paper.none-text')}</EmptyState>}
        columns={[
          { id: 'number', head: t('paper.number'), align: 'end', cell: ({ number }) => format.number(number) },
          { id: 'name', head: t('paper.name'), names: true, cell: ({ name }) => name },
          { id: 'sheets', head: t('paper.sheets'), align: 'end', secondary: true, cell: ({ sheets }) => format.number(sheets) },
          { id: 'returned', head: t('paper.returned'), align: 'end', cell: ({ returned }) => format.number(returned) },
          { id: 'counted', head: t('paper.counted'), align: 'end', secondary: true, cell: ({ counted }) => format.number(counted) },
          {
            id: 'state',
            head: t('paper.state'),
            cell: ({ state }) => (
              <Badge tone={state === 'accepted' ? 'ok' : 'neutral'} hollow={state === 'open'}>
                {t(state === 'accepted' ? 'paper.accepted' : 'paper.open-state')}
              </Badge>
            ),
          },
          {
            id: 'acts',
            head: <span className="visually-hidden">{t('paper.actions')}</span>,
            acts: true,
            cell: ({ id, name }) => (
              <Link to="/admin/projects/$id/budgets/$round/paper/$batch" params={{ id: project, round: round.id, batch: id }}>
                {t('paper.open')}
                <span className="visually-hidden"> {name}</span>
              </Link>
            ),
          },
        ]}
      />
      {round.status === 'published' && round.phase !== 'decided' && (
        <div className="row">
          <Button kind="secondary" onClick={() => setMaking(true)}>
            {t('paper.make')}
          </Button>
        </div>
      )}
      {isMaking && <MakeSheets round={round.id} onClose={() => setMaking(false)} />}
    </section>
  )
}

function MakeSheets({ round, onClose }: { round: string; onClose: () => void }) {
  const { t } = useTranslation('budgets-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [sheets, setSheets] = useState<number | undefined>(100)
  const save = useMutation({
    mutationFn: () =>
      api.create('budget-paper-batches', {
        attributes: { name, sheets: sheets ?? 0 },
        relationships: { round: { type: 'budget-rounds', id: round } },
      }),
    onSuccess: async () => {
      onClose()
      await forgetBudgets(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog title={t('paper.make')} saveLabel={t('paper.make')} save={save} faults={words.faults} onClose={onClose} size="medium">
      <p>{t('paper.none-text')}</p>
      <TextInput
        name="name"
        label={t('paper.name')}
        hint={t('paper.name-hint')}
        value={name}
        onChange={setName}
        maxLength={120}
        error={words.messageOf('name')}
      />
      <NumberInput
        name="sheets"
        label={t('paper.sheets')}
        hint={t('paper.sheets-hint', { most: format.number(MAX_SHEETS) })}
        value={sheets}
        onChange={setSheets}
        min={1}
        max={MAX_SHEETS}
        error={words.messageOf('sheets')}
      />
    </EditDialog>
  )
}

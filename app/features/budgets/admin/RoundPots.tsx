import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { NumberInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetBudgets, potsQuery } from '../budgets.queries.ts'
import { useMoney } from '../use-money.ts'
import type { RoundDocument } from './EditRound.tsx'

type PotDocument = Resource<'budget-pots'>

/** What there is to spend. */
export function RoundPots({ round }: { round: RoundDocument }) {
  const { t } = useTranslation('budgets-admin')
  const money = useMoney(round.currency)
  const queryClient = useQueryClient()
  const pots = useSuspenseQuery(potsQuery(round.id)).data.data
  const [editing, setEditing] = useState<PotDocument | 'new'>()
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('budget-pots', id),
    onSettled: () => forgetBudgets(queryClient),
  })
  const words = useEditorTexts(remove.error)
  return (
    <section className="admin-stack" aria-labelledby="pots-heading">
      <h2 id="pots-heading">{t('pots.title')}</h2>
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      {pots.length === 0 ? (
        <EmptyState title={t('pots.none')}>{t('pots.none-text')}</EmptyState>
      ) : (
        <ul className="admin-list">
          {pots.map((pot) => (
            <li key={pot.id} className="admin-panel">
              <strong>{pot.title}</strong>
              <span className="row">
                {money(pot.amount)}
                {!round.hasBallots && (
                  <>
                    <Button kind="plain" size="small" onClick={() => setEditing(pot)}>
                      {t('edit')}
                      <span className="visually-hidden"> {pot.title}</span>
                    </Button>
                    <Button kind="plain" size="small" onClick={() => remove.mutate(pot.id)}>
                      {t('remove')}
                      <span className="visually-hidden"> {pot.title}</span>
                    </Button>
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {!round.hasBallots && (
        <div className="row">
          <Button kind="secondary" onClick={() => setEditing('new')}>
            {t('pots.add')}
          </Button>
        </div>
      )}
      {editing && <EditPot round={round} pot={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
    </section>
  )
}

function EditPot({ round, pot, onClose }: { round: RoundDocument; pot: PotDocument | undefined; onClose: () => void }) {
  const { t } = useTranslation('budgets-admin')
  const site = useSite()
  const queryClient = useQueryClient()
  const [titleTranslations, setTitle] = useState(pot?.titleTranslations ?? {})
  const [whole, setWhole] = useState<number | undefined>(pot ? pot.amount / 100 : undefined)
  const save = useMutation({
    mutationFn: async () => {
      const attributes = { titleTranslations, amount: Math.round((whole ?? 0) * 100) }
      if (pot) await api.update('budget-pots', pot.id, { attributes }, { lockVersion: pot.meta.lockVersion })
      else await api.create('budget-pots', { attributes, relationships: { round: { type: 'budget-rounds', id: round.id } } })
    },
    onSuccess: async () => {
      onClose()
      await forgetBudgets(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog title={t(pot ? 'pots.edit' : 'pots.add')} saveLabel={t('save')} save={save} faults={words.faults} onClose={onClose}>
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[{ name: 'titleTranslations', label: t('pots.name') }]}
        values={{ titleTranslations }}
        onChange={(_, text) => setTitle(text)}
        messageOf={words.messageOf}
        words={words.texts}
      />
      <NumberInput
        name="amount"
        label={t('pots.amount')}
        unit={round.currency}
        value={whole}
        onChange={setWhole}
        min={0}
        max={10_000_000_000}
        step={0.01}
        digits={10}
        error={words.messageOf('amount')}
      />
    </EditDialog>
  )
}

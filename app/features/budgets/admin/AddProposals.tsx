import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { CheckInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { forgetBudgets, proposalActivitiesQuery, proposalsQuery } from '../budgets.queries.ts'
import { describeProposal } from './ChooseProposal.tsx'
import type { OptionDocument } from './EditOption.tsx'
import type { RoundDocument } from './EditRound.tsx'

interface AddProposalsProps {
  round: RoundDocument
  pots: readonly Resource<'budget-pots'>[]
  options: readonly OptionDocument[]
  onClose: () => void
}

/** Makes ideas of many contributions to an activity, to be screened afterwards. Those that are options of the round already are left out. */
export function AddProposals({ round, pots, options, onClose }: AddProposalsProps) {
  const { t } = useTranslation('budgets-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const known = useQuery(proposalActivitiesQuery(round.relationships.project?.id ?? ''))
  const activities = known.data?.data ?? []
  const [chosenActivity, setActivity] = useState<string>()
  const activity = chosenActivity ?? activities[0]?.id ?? ''
  const [pot, setPot] = useState(pots[0]?.id ?? '')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const query = useQuery({ ...proposalsQuery(activity), enabled: activity !== '' })
  const taken = new Set(options.map(({ relationships }) => relationships.contribution?.id))
  const proposals = (query.data?.data ?? []).filter(({ id }) => !taken.has(id))
  const toAdd = proposals.filter(({ id }) => chosen.has(id))
  const save = useMutation({
    mutationFn: async () => {
      for (const proposal of toAdd)
        await api.create('budget-options', {
          attributes: describeProposal(proposal),
          relationships: {
            round: { type: 'budget-rounds', id: round.id },
            pot: { type: 'budget-pots', id: pot },
            contribution: { type: 'contributions', id: proposal.id },
          },
        })
    },
    onSuccess: onClose,
    // If one of them fails, those before it are there.
    onSettled: () => forgetBudgets(queryClient),
  })
  const words = useEditorTexts(save.error)
  const toggle = (ids: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const id of ids) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    setChosen(next)
  }
  const all = proposals.map(({ id }) => id)
  return (
    <EditDialog
      title={t('proposals.add')}
      saveLabel={t('proposals.add-chosen', { count: toAdd.length, number: format.number(toAdd.length) })}
      save={{ isPending: save.isPending, mutate: () => (toAdd.length > 0 ? save.mutate() : onClose()) }}
      faults={words.faults}
      onClose={onClose}
    >
      <p>{t('proposals.text')}</p>
      <SelectInput
        name="activity"
        label={t('options.from')}
        value={activity}
        onChange={setActivity}
        options={activities.map(({ id, title }) => ({ value: id, label: title }))}
      />
      <SelectInput
        name="pot"
        label={t('options.pot')}
        value={pot}
        onChange={setPot}
        options={pots.map(({ id, title }) => ({ value: id, label: title }))}
      />
      {known.isSuccess && activities.length === 0 && <p>{t('proposals.no-activity')}</p>}
      {query.isSuccess && proposals.length === 0 && <p>{t('proposals.none')}</p>}
      {proposals.length > 0 && (
        <fieldset className="admin-form">
          <legend>{t('proposals.which')}</legend>
          <CheckInput
            name="all"
            label={t('proposals.all', { number: format.number(proposals.length) })}
            value={toAdd.length === proposals.length}
            onChange={(isChosen) => toggle(all, isChosen)}
          />
          {proposals.map(({ id, number, title }) => (
            <CheckInput
              key={id}
              name={`proposal.${id}`}
              label={`${number}. ${title}`}
              value={chosen.has(id)}
              onChange={(isChosen) => toggle([id], isChosen)}
            />
          ))}
        </fieldset>
      )}
    </EditDialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { findPin } from '#app/lib/find-pin.ts'
import type { Geometry } from '#app/lib/geometry.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { proposalActivitiesQuery, proposalsQuery } from '../budgets.queries.ts'

interface Proposal {
  id: string
  title: string
  body: string
  language: ContentLanguage
  placeText: string
  geometry: { type: string; coordinates: unknown[] } | null
}

type OptionPoint = NonNullable<Resource<'budget-options'>['point']>

const NONE = ''

/** The texts of an option that is made from a proposal, as long as an option's may be. */
export const describeProposal = ({ title, body, language }: Pick<Proposal, 'title' | 'body' | 'language'>) => ({
  titleTranslations: { [language]: title.slice(0, 140) },
  textTranslations: { [language]: body.slice(0, 2000) },
})

/** Where its pin stands. */
export function findProposalPoint({ geometry }: Pick<Proposal, 'geometry'>): OptionPoint | null {
  if (!geometry) return null
  const [lng, lat] = findPin(geometry as Geometry)
  return { lng, lat }
}

/** A contribution to an activity of the project, to make an option from. */
export function ChooseProposal({ project, onChoose }: { project: string; onChoose: (proposal: Proposal) => void }) {
  const { t } = useTranslation('budgets-admin')
  const activities = useQuery(proposalActivitiesQuery(project)).data?.data ?? []
  const [activity, setActivity] = useState(NONE)
  const [chosen, setChosen] = useState(NONE)
  const proposals = useQuery({ ...proposalsQuery(activity), enabled: activity !== NONE }).data?.data ?? []
  if (activities.length === 0) return null
  return (
    <>
      <SelectInput
        name="activity"
        label={t('options.from')}
        value={activity}
        onChange={setActivity}
        options={[{ value: NONE, label: t('options.from-none') }, ...activities.map(({ id, title }) => ({ value: id, label: title }))]}
      />
      {activity !== NONE && (
        <SelectInput
          name="proposal"
          label={t('options.proposal')}
          value={chosen}
          onChange={(id) => {
            setChosen(id)
            const proposal = proposals.find((one) => one.id === id)
            if (proposal) onChoose(proposal)
          }}
          options={[
            { value: NONE, label: t('options.choose') },
            ...proposals.map(({ id, number, title }) => ({ value: id, label: `${number}. ${title}` })),
          ]}
        />
      )}
    </>
  )
}

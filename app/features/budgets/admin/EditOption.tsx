import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Point } from '#app/features/areas/polygons.schema.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { OPTION_STATES } from '#app/lib/vocabulary/budgets.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { NumberInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { forgetBudgets } from '../budgets.queries.ts'
import { ChooseProposal, describeProposal, findProposalPoint } from './ChooseProposal.tsx'
import type { RoundDocument } from './EditRound.tsx'

export type OptionDocument = Resource<'budget-options'>

/** A point to choose on the site's map. */
export interface OptionMapProps {
  place: Point | undefined
  onChange: (place: Point | undefined) => void
  /** A search has found a place with this name. */
  onFound: (name: string, place: Point) => void
  /** Said if the site has no map. */
  noMap: string
}

interface EditOptionProps {
  renderMap: (fields: OptionMapProps) => ReactNode

  round: RoundDocument
  pots: readonly Resource<'budget-pots'>[]
  /** Undefined for a new one, which may be made from a contribution. */
  option: OptionDocument | undefined
  onClose: () => void
}

/** An option's texts, cost and pot, and what screening found. */
export function EditOption({ renderMap, round, pots, option, onClose }: EditOptionProps) {
  const { t } = useTranslation('budgets-admin')
  const site = useSite()
  const queryClient = useQueryClient()
  const [fields, setFields] = useState(() => ({
    titleTranslations: option?.titleTranslations ?? {},
    textTranslations: option?.textTranslations ?? {},
    costNoteTranslations: option?.costNoteTranslations ?? {},
    reasonTranslations: option?.reasonTranslations ?? {},
    place: option?.place ?? '',
    point: option?.point ?? null,
    exclusiveGroup: option?.exclusiveGroup ?? '',
    state: option?.state ?? 'idea',
  }))
  const [pot, setPot] = useState(option?.relationships.pot?.id ?? pots[0]?.id ?? '')
  const [whole, setWhole] = useState<number | undefined>(option?.cost ? option.cost / 100 : undefined)
  const [contribution, setContribution] = useState<string>()
  const change = (more: Partial<typeof fields>) => setFields((before) => ({ ...before, ...more }))
  const save = useMutation({
    mutationFn: async () => {
      const attributes = { ...fields, cost: whole ? Math.round(whole * 100) : null }
      const relationships = { pot: { type: 'budget-pots' as const, id: pot } }
      if (option) {
        await api.update('budget-options', option.id, { attributes, relationships }, { lockVersion: option.meta.lockVersion })
        return
      }
      await api.create('budget-options', {
        attributes,
        relationships: {
          ...relationships,
          round: { type: 'budget-rounds', id: round.id },
          ...(contribution && { contribution: { type: 'contributions', id: contribution } }),
        },
      })
    },
    onSuccess: async () => {
      onClose()
      await forgetBudgets(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog
      title={t(option ? 'options.edit' : 'options.add')}
      saveLabel={t('save')}
      save={save}
      faults={words.faults}
      onClose={onClose}
    >
      {!option && (
        <ChooseProposal
          project={round.relationships.project?.id ?? ''}
          onChoose={(proposal) => {
            setContribution(proposal.id)
            change({ ...describeProposal(proposal), place: proposal.placeText.slice(0, 200), point: findProposalPoint(proposal) })
          }}
        />
      )}
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[
          { name: 'titleTranslations', label: t('options.name') },
          { name: 'textTranslations', label: t('options.text'), rows: 4 },
          { name: 'costNoteTranslations', label: t('options.cost-note'), rows: 2 },
          ...(fields.state === 'not_feasible' ? [{ name: 'reasonTranslations' as const, label: t('options.reason'), rows: 3 }] : []),
        ]}
        values={fields}
        onChange={(name, text) => change({ [name]: text })}
        messageOf={words.messageOf}
        words={words.texts}
      />
      <SelectInput
        name="pot"
        label={t('options.pot')}
        value={pot}
        onChange={setPot}
        options={pots.map(({ id, title }) => ({ value: id, label: title }))}
        error={words.messageOf('pot')}
      />
      <NumberInput
        name="cost"
        label={t('options.cost')}
        unit={round.currency}
        value={whole}
        onChange={setWhole}
        min={0}
        max={10_000_000_000}
        step={0.01}
        digits={10}
        error={words.messageOf('cost')}
      />
      <TextInput name="place" label={t('options.place')} value={fields.place} onChange={(place) => change({ place })} />
      {renderMap({
        noMap: t('options.no-map'),
        place: fields.point ? [fields.point.lng, fields.point.lat] : undefined,
        onChange: (point) => change({ point: point ? { lng: point[0], lat: point[1] } : null }),
        onFound: (name, [lng, lat]) => change({ point: { lng, lat }, ...(!fields.place.trim() && { place: name }) }),
      })}
      <TextInput
        name="exclusiveGroup"
        label={t('options.group')}
        hint={t('options.group-hint')}
        value={fields.exclusiveGroup}
        onChange={(exclusiveGroup) => change({ exclusiveGroup })}
      />
      <SelectInput
        name="state"
        label={t('options.state')}
        value={fields.state}
        onChange={(state) => change({ state })}
        options={OPTION_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
      />
    </EditDialog>
  )
}

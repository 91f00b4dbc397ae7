import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GROUP_KINDS, type GroupKind } from '#app/lib/vocabulary/accounts.ts'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { hubSource } from '#app/shell/admin/record-sources.ts'
import { api } from '#app/shell/api.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { GroupRule } from '#app/features/accounts/accounts.schema.ts'
import { invalidatePeople } from '#app/features/accounts/people.queries.ts'
import { GroupRuleFields } from './GroupRuleFields.tsx'

const HUBS = hubSource({ mine: true })

interface KnownGroup {
  id: string
  name: string
  kind: GroupKind
  rule: GroupRule | null
  relationships: { hub?: { id: string } | null | undefined }
  meta: { lockVersion?: number }
}

/** Creates a group or tag, filled by hand or by a rule, or shows and changes one. */
export function GroupDialog({ group, onClose }: { group?: KnownGroup; onClose: () => void }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const ofSite = useViewer()?.roleName === 'site_admin'
  const firstHub = useFirstRecord(HUBS, !ofSite).first
  const queryClient = useQueryClient()
  const [name, setName] = useState(group?.name ?? '')
  const [kind, setKind] = useState<GroupKind>(group?.kind ?? 'group')
  const [chosenOwner, setOwner] = useState<string | null>(group?.relationships.hub?.id ?? null)
  /** The hub that the group belongs to; null for the whole site. */
  const owner = chosenOwner ?? (group || ofSite ? null : (firstHub?.id ?? null))
  const [how, setHow] = useState<'hand' | 'rule'>(group?.rule ? 'rule' : 'hand')
  const [rule, setRule] = useState<GroupRule>(group?.rule ?? {})
  const save = useMutation({
    mutationFn: async () => {
      const attributes = { name, kind, rule: how === 'rule' ? rule : null }
      if (group) return api.update('groups', group.id, { attributes }, { lockVersion: group.meta.lockVersion ?? 1 })
      return api.create('groups', {
        attributes,
        relationships: owner === null ? {} : { hub: { type: 'hubs', id: owner } },
      })
    },
    // Reload before closing, or the dialog would show the old rule if it is reopened at once.
    onSuccess: async () => {
      await invalidatePeople(queryClient)
      onClose()
    },
  })
  return (
    <Dialog
      title={group ? group.name : t('groups.new')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      submit={{
        label: group ? admin('save.save') : t('groups.make'),
        onSubmit: () => save.mutate(),
        pending: save.isPending,
        disabled: !name.trim(),
      }}
    >
      <div className="admin-form">
        {save.isError && <Notice kind="error" title={describeError(save.error)} />}
        <TextInput name="name" label={t('table.name')} value={name} onChange={setName} required maxLength={80} />
        <SelectInput
          name="kind"
          label={t('groups.kind')}
          value={kind}
          onChange={setKind}
          options={GROUP_KINDS.map((value) => ({ value, label: t(`groups.kinds.${value}`) }))}
        />
        {!group && (
          <>
            <RecordChoice
              name="owner"
              label={t('groups.owner')}
              source={HUBS}
              value={owner}
              {...(ofSite ? { none: t('groups.whole-site') } : {})}
              onChange={setOwner}
            />
            <SelectInput
              name="how"
              label={t('groups.how')}
              value={how}
              onChange={setHow}
              options={[
                { value: 'hand', label: t('groups.by-hand') },
                { value: 'rule', label: t('groups.by-rule') },
              ]}
            />
          </>
        )}
        {how === 'rule' && <GroupRuleFields rule={rule} hubId={owner} onChange={setRule} />}
      </div>
    </Dialog>
  )
}

import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { GROUP_KINDS, type GroupKind } from '#app/lib/vocabulary/accounts.ts'
import { api } from '#app/shell/api.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput, NumberInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { activityChoicesQuery, invalidatePeople, placesQuery } from '../people.queries.ts'

const ANY_VALUE = 'any'

/** Creates a group or tag, filled by hand or by a rule. */
export function NewGroup({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const site = useSite()
  const ofSite = useViewer()?.roleName === 'site_admin'
  const hubs = useSuspenseQuery(placesQuery).data.data
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<GroupKind>('group')
  const [owner, setOwner] = useState(ofSite ? ANY_VALUE : (hubs[0]?.id ?? ANY_VALUE))
  const [how, setHow] = useState<'hand' | 'rule'>('hand')
  const [hub, setHub] = useState(ANY_VALUE)
  const [locale, setLocale] = useState<string>(ANY_VALUE)
  const [contributedTo, setContributedTo] = useState(ANY_VALUE)
  const [supportedIn, setSupportedIn] = useState(ANY_VALUE)
  const activities = useQuery(activityChoicesQuery).data
  const [seen, setSeen] = useState<number>()
  const [consent, setConsent] = useState(false)
  const language = site.languages.find((code) => code === locale)
  const ruleHub = owner === ANY_VALUE || hub === owner ? hub : ANY_VALUE
  const rule = {
    ...(ruleHub === ANY_VALUE ? {} : { hub: ruleHub }),
    ...(contributedTo === ANY_VALUE ? {} : { contributedTo }),
    ...(supportedIn === ANY_VALUE ? {} : { supportedIn }),
    ...(language ? { locale: language } : {}),
    ...(seen ? { seenWithinDays: seen } : {}),
    ...(consent ? { marketingConsent: true } : {}),
  }
  const make = useMutation({
    mutationFn: () =>
      api.create('groups', {
        attributes: { name, kind, rule: how === 'rule' ? rule : null },
        relationships: owner === ANY_VALUE ? {} : { hub: { type: 'hubs', id: owner } },
      }),
    onSuccess: async () => {
      onClose()
      await invalidatePeople(queryClient)
    },
  })
  const activityOptions = [
    { value: ANY_VALUE, label: t('groups.any-activity') },
    ...(activities?.data ?? []).map((activity) => ({
      value: activity.id,
      label: `${activity.title} (${activities && findLinked(activities, activity.relationships.project)?.title})`,
    })),
  ]
  const hubOptions = hubs.map((one) => ({ value: one.id, label: one.title }))
  return (
    <Dialog
      title={t('groups.new')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      actions={
        <Button pending={make.isPending} disabled={!name.trim()} onClick={() => make.mutate()}>
          {t('groups.make')}
        </Button>
      }
    >
      <div className="admin-form">
        <TextInput name="name" label={t('table.name')} value={name} onChange={setName} required maxLength={80} />
        <SelectInput
          name="kind"
          label={t('groups.kind')}
          value={kind}
          onChange={setKind}
          options={GROUP_KINDS.map((value) => ({ value, label: t(`groups.kinds.${value}`) }))}
        />
        <SelectInput
          name="owner"
          label={t('groups.owner')}
          value={owner}
          onChange={setOwner}
          options={[...(ofSite ? [{ value: ANY_VALUE, label: t('groups.whole-site') }] : []), ...hubOptions]}
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
        {how === 'rule' && (
          <>
            <SelectInput
              name="hub"
              label={t('groups.took-part')}
              value={ruleHub}
              onChange={setHub}
              options={[
                { value: ANY_VALUE, label: t('table.any-hub') },
                ...hubOptions.filter(({ value }) => owner === ANY_VALUE || value === owner),
              ]}
            />
            <SelectInput
              name="contributedTo"
              label={t('groups.contributed-to')}
              value={contributedTo}
              onChange={setContributedTo}
              options={activityOptions}
            />
            <SelectInput
              name="supportedIn"
              label={t('groups.supported-in')}
              value={supportedIn}
              onChange={setSupportedIn}
              options={activityOptions}
            />
            <SelectInput<string>
              name="locale"
              label={t('person.language')}
              value={locale}
              onChange={setLocale}
              options={[
                { value: ANY_VALUE, label: t('groups.any-language') },
                ...site.languages.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
              ]}
            />
            <NumberInput name="seen" label={t('groups.seen-within')} value={seen} onChange={setSeen} min={1} max={3650} />
            <CheckInput name="consent" label={t('groups.consented')} value={consent} onChange={setConsent} />
          </>
        )}
        {make.isError && <Notice kind="error" title={describeError(make.error)} />}
      </div>
    </Dialog>
  )
}

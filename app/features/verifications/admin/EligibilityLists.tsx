import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { ELIGIBILITY_FIELDS, type EligibilityField, VERIFICATION_LEVELS } from '#app/lib/vocabulary/verifications.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useNotShown } from '#app/shell/use-not-shown.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { FileButton } from '#app/ui/admin/file-button.tsx'
import { CheckInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SectionHead } from '#app/ui/page.tsx'
import { eligibilityListsQuery, forgetVerifications } from '../verifications.queries.ts'
import { findHourInAYear } from './in-a-year.ts'

type ListDocument = Resource<'eligibility-lists'>

/** Lists of who may take part in activities for verified people. */
export function EligibilityLists() {
  const { t } = useTranslation('verifications-admin')
  const { t: words } = useTranslation('verifications')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { notShown } = useNotShown()
  const queryClient = useQueryClient()
  const lists = useSuspenseQuery(eligibilityListsQuery).data.data
  const [editing, setEditing] = useState<ListDocument | 'new'>()
  const [leaving, setLeaving] = useState<ListDocument>()
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('eligibility-lists', id),
    onSuccess: async () => {
      setLeaving(undefined)
      await forgetVerifications(queryClient)
    },
  })
  const { faults } = useEditorTexts(remove.error)
  return (
    <section className="admin-stack" aria-labelledby="lists-heading">
      <SectionHead
        id="lists-heading"
        title={t('lists')}
        link={
          <Button kind="secondary" onClick={() => setEditing('new')}>
            {t('add')}
          </Button>
        }
      >
        {t('about')}
      </SectionHead>
      <DataTable
        caption={t('lists')}
        rows={lists}
        rowKey={({ id }) => id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('none')}>{t('none-text')}</EmptyState>}
        columns={[
          { id: 'name', head: t('columns.name'), names: true, cell: ({ name }) => name },
          { id: 'level', head: t('columns.level'), secondary: true, cell: ({ level }) => words(`levels.${level}`) },
          {
            id: 'fields',
            head: t('columns.fields'),
            secondary: true,
            cell: ({ fields }) => fields.map((field) => words(`fields.${field}`)).join(', '),
          },
          { id: 'until', head: t('until'), underName: true, cell: ({ validUntil }) => format.shortDate(validUntil) },
          { id: 'entries', head: t('entries'), align: 'end', cell: ({ entries }) => format.number(entries ?? 0) },
          {
            id: 'verified',
            head: t('verified'),
            align: 'end',
            secondary: true,
            cell: ({ verified }) => (typeof verified === 'number' ? format.number(verified) : notShown),
          },
          {
            id: 'change',
            acts: true,
            head: <span className="visually-hidden">{t('change')}</span>,
            cell: (list) => (
              <span className="row">
                <Button kind="plain" size="small" onClick={() => setEditing(list)}>
                  {t('change')}
                  <span className="visually-hidden"> {list.name}</span>
                </Button>
                <Button kind="plain" size="small" onClick={() => setLeaving(list)}>
                  {t('delete')}
                  <span className="visually-hidden"> {list.name}</span>
                </Button>
              </span>
            ),
          },
        ]}
      />
      {editing && <EditList list={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
      {leaving && (
        <ConfirmDialog
          title={t('delete-sure', { name: leaving.name })}
          isOpen
          onClose={() => {
            remove.reset()
            setLeaving(undefined)
          }}
          confirmLabel={t('delete')}
          cancelLabel={admin('confirm.cancel')}
          danger
          onConfirm={() => remove.mutate(leaving.id)}
        >
          {faults.map(({ message }) => (
            <Notice key={message} kind="error" title={message} />
          ))}
          {t('delete-text')}
        </ConfirmDialog>
      )}
    </section>
  )
}

function EditList({ list, onClose }: { list: ListDocument | undefined; onClose: () => void }) {
  const { t } = useTranslation('verifications-admin')
  const { t: words } = useTranslation('verifications')
  const site = useSite()
  const { words: moment } = useMomentTexts()
  const queryClient = useQueryClient()
  const [name, setName] = useState(list?.nameTranslations ?? {})
  const [level, setLevel] = useState(list?.level ?? ('resident' as const))
  const [fields, setFields] = useState<readonly EligibilityField[]>(list?.fields ?? ['card-number'])
  const [validUntil, setValidUntil] = useState<string | undefined>(() => list?.validUntil ?? findHourInAYear())
  const [file, setFile] = useState<File>()
  const save = useMutation({
    mutationFn: async () => {
      const csv = await file?.text()
      const attributes = { nameTranslations: name, level, validUntil: validUntil ?? '', ...(csv !== undefined && { csv }) }
      if (list) await api.update('eligibility-lists', list.id, { attributes }, { lockVersion: list.meta.lockVersion })
      else await api.create('eligibility-lists', { attributes: { ...attributes, fields: [...fields] } })
    },
    onSuccess: async () => {
      onClose()
      showToast({ text: t('saved') })
      await forgetVerifications(queryClient)
    },
  })
  const editor = useEditorTexts(save.error)
  const columns = fields.map((field) => words(`fields.${field}`)).join(', ')
  return (
    <EditDialog title={t(list ? 'edit' : 'add')} saveLabel={t('save')} save={save} faults={editor.faults} onClose={onClose}>
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[{ name: 'nameTranslations', label: t('name') }]}
        values={{ nameTranslations: name }}
        onChange={(_field, text) => setName(text)}
        messageOf={editor.messageOf}
        words={editor.texts}
      />
      <SelectInput
        name="level"
        label={t('level')}
        value={level}
        onChange={setLevel}
        options={VERIFICATION_LEVELS.map((value) => ({ value, label: words(`levels.${value}`) }))}
      />
      {!list && (
        <fieldset className="editor-group">
          <legend>{t('fields')}</legend>
          <p className="field-hint">{t('fields-hint')}</p>
          {ELIGIBILITY_FIELDS.map((field) => (
            <CheckInput
              key={field}
              name={`fields.${field}`}
              label={words(`fields.${field}`)}
              value={fields.includes(field)}
              onChange={(chosen) => setFields(ELIGIBILITY_FIELDS.filter((each) => (each === field ? chosen : fields.includes(each))))}
            />
          ))}
        </fieldset>
      )}
      <DateTimeField
        name="validUntil"
        label={t('until')}
        hint={t('until-hint')}
        value={validUntil}
        onChange={setValidUntil}
        error={editor.messageOf('validUntil')}
        {...moment}
      />
      <div>
        <FileButton label={t('file')} accept={['.csv', 'text/csv']} onFiles={([chosen]) => setFile(chosen)} />
        <p className="field-hint">{file ? t('chosen', { name: file.name }) : t('file-hint', { columns })}</p>
      </div>
    </EditDialog>
  )
}

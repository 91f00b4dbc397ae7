import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileButton } from '#app/ui/admin/file-button.tsx'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import type { DocumentDocument } from '../documents.queries.ts'
import { ACCEPTED_ENDINGS } from '../documents.schema.ts'

interface EditDocumentProps {
  document: DocumentDocument
  onClose: () => void
  onSaved: () => Promise<void>
  onReplace: (files: File[]) => void
}

/** A document's title in each language, its language, and replacing its file. */
export function EditDocument({ document, onClose, onSaved, onReplace }: EditDocumentProps) {
  const { t } = useTranslation('admin')
  const { contentLanguages: languages } = useSite()
  const [title, setTitle] = useState(document.titleTranslations ?? {})
  const [language, setLanguage] = useState<ContentLanguage | 'all'>(document.language ?? 'all')
  const save = useMutation({
    mutationFn: () =>
      api.update('project-documents', document.id, {
        attributes: { titleTranslations: title, language: language === 'all' ? null : language },
      }),
    onSuccess: async () => {
      onClose()
      await onSaved()
    },
  })
  const { faults } = useEditorTexts(save.error)
  return (
    <Dialog
      title={t('documents.edit-title', { name: document.title })}
      isOpen
      onClose={onClose}
      closeLabel={t('nav.close-dialog')}
      submit={{ label: t('save.save'), onSubmit: () => save.mutate(), pending: save.isPending }}
    >
      <div className="admin-form">
        {languages.map((code, at) => (
          <TextInput
            key={code}
            name={`document-title.${code}`}
            label={languages.length > 1 ? t('documents.name-in', { language: getLanguageName(code) }) : t('documents.name')}
            language={code}
            value={title[code] ?? ''}
            onChange={(text) => setTitle({ ...title, [code]: text })}
            error={at === 0 ? faults[0]?.message : undefined}
            maxLength={200}
          />
        ))}
        <SelectInput
          name="document-language"
          label={t('documents.language')}
          value={language}
          onChange={setLanguage}
          options={[
            { value: 'all' as const, label: t('documents.any-language') },
            ...languages.map((value) => ({ value, label: getLanguageName(value) })),
          ]}
        />
        <FileButton label={t('documents.replace')} accept={ACCEPTED_ENDINGS} onFiles={onReplace} />
      </div>
    </Dialog>
  )
}

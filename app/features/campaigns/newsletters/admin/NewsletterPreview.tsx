import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { newsletterPreviewQuery } from '../../campaigns.queries.ts'

type UnsavedNewsletter = Parameters<typeof newsletterPreviewQuery>[0]
const MAIL_FORMATS = ['html', 'text'] as const
type MailFormat = (typeof MAIL_FORMATS)[number]

/** The email as its readers get it, rendered by the same code: as HTML or plain text. */
export function NewsletterPreview({ unsaved }: { unsaved: UnsavedNewsletter }) {
  const { t } = useTranslation('letters')
  const { t: admin } = useTranslation('admin')
  const [way, setWay] = useState<MailFormat>('html')
  // The frame is under this page's content policy.
  const nonce = useRouter().options.ssr?.nonce ?? ''
  const { data, isError } = useQuery(newsletterPreviewQuery(unsaved))
  return (
    <section className="admin-panel letter-preview" aria-label={t('preview.title')}>
      <div className="letter-preview-head">
        <div>
          <h2>{t('preview.title')}</h2>
          <p lang={unsaved.language} dir={getDirection(unsaved.language)}>
            {data?.subject || t('preview.no-subject')}
          </p>
        </div>
        <SelectInput<MailFormat>
          name="way"
          label={t('preview.way')}
          value={way}
          onChange={setWay}
          options={MAIL_FORMATS.map((value) => ({ value, label: t(`preview.${value}`) }))}
        />
      </div>
      {isError && <Notice kind="error" title={admin('load-failed')} />}
      {data &&
        (way === 'html' ? (
          // No scripts, and clicks on links are cancelled: this is only a preview.
          <iframe
            title={t('preview.frame')}
            srcDoc={data.bodyHtml.replace('<style>', `<style nonce="${nonce}">`)}
            sandbox="allow-same-origin"
            onLoad={fitToContent}
          />
        ) : (
          <pre className="mail-text" lang={unsaved.language} dir={getDirection(unsaved.language)}>
            {data.bodyText}
          </pre>
        ))}
    </section>
  )
}

/** Sets the frame to the height of its content. */
function fitToContent({ currentTarget: frame }: SyntheticEvent<HTMLIFrameElement>): void {
  const inside = frame.contentDocument
  if (!inside) return
  frame.style.height = `${inside.documentElement.scrollHeight + 8}px`
  inside.addEventListener('click', (event) => event.preventDefault())
}

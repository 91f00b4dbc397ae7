import { useTranslation } from 'react-i18next'
import { Notice } from '#app/ui/notice.tsx'
import { useFocusWhenShown } from '#app/ui/use-focus-when-shown.ts'
import { HELD_KINDS, type PersonalDataWarning } from '../record/personal-data.schema.ts'

/** Names each passage that the author may not mean to publish. Sending the form again sends it as it is. */
export function PersonalDataNotice({ warning, isHeld }: { warning: PersonalDataWarning; isHeld: boolean }) {
  const { t } = useTranslation('contributions')
  const notice = useFocusWhenShown(warning.seen)
  const waits = !isHeld && warning.passages.some(({ kind }) => HELD_KINDS.includes(kind))
  return (
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- without scripts, the browser itself moves focus here
    <div id="personal-data" tabIndex={-1} autoFocus ref={notice}>
      <Notice kind="warning" title={t('personal.title')}>
        <ul className="passages">
          {warning.passages.map(({ kind, text }) => (
            <li key={`${kind} ${text}`}>
              {t(`personal.kinds.${kind}`)} <strong className="passage">{text}</strong>
            </li>
          ))}
        </ul>
        <p>{t('personal.text')}</p>
        <p>{t(waits ? 'personal.waits' : 'personal.seen')}</p>
      </Notice>
      <input type="hidden" name="personal" value={warning.seen} />
    </div>
  )
}

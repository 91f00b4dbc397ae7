import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'

/** State of the send time: its value, the labels of the button and the confirmation, and whether it is complete. */
export function useSendMoment(recipients: number) {
  const { t } = useTranslation('sms')
  const format = useFormat()
  const [sendAt, setSendAt] = useState<string>()
  const [isRefused, setRefused] = useState(false)
  const isHalf = isHalfMoment(sendAt)
  const when = sendAt && !isHalf ? format.dateTime(sendAt) : undefined
  const count = { count: recipients, number: format.number(recipients) }
  return {
    sendAt,
    setSendAt,
    isHalf,
    isRefused: isHalf && isRefused,
    label: when ? t('reach.send-at', { when }) : isHalf ? t('reach.send') : t('reach.send-now', count),
    title: when ? t('reach.confirm-title-at', { ...count, when }) : t('reach.confirm-title', count),
    /** Calls `ask`, unless the date or time is missing: then focuses the field and shows its error. */
    askFor: (ask: () => void) => {
      setRefused(isHalf)
      if (isHalf) document.getElementById('sendAt')?.focus()
      else ask()
    },
  }
}

interface SendMomentFieldProps {
  moment: ReturnType<typeof useSendMoment>
  hint: string
  /** Error from the server. */
  error: string | undefined
}

/** A date without a time is an error: we never guess when to send. */
export function SendMomentField({ moment, hint, error }: SendMomentFieldProps) {
  const { t } = useTranslation('sms')
  const { words } = useMomentTexts()
  return (
    <DateTimeField
      name="sendAt"
      label={t('reach.when')}
      hint={hint}
      value={moment.sendAt}
      onChange={moment.setSendAt}
      error={moment.isRefused ? words.halfError : error}
      {...words}
    />
  )
}

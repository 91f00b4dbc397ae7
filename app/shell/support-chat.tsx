import { useEffect } from 'react'
import { IntercomProvider, useIntercom } from 'react-use-intercom'
import type { IntercomSettings } from '#app/features/libraries/libraries.schema.ts'
import type { ChatFlags } from './chat-flags.ts'
import type { CurrentSite, CurrentUser } from './page-state.schema.ts'

interface SupportChatProps {
  settings: IntercomSettings
  user: CurrentUser
  site: CurrentSite
  flags: ChatFlags
  language: string
}

/** The support chat widget: starts on mount and shuts down on unmount. */
export default function SupportChat({ settings, ...rest }: SupportChatProps) {
  return (
    <IntercomProvider appId={settings.appId} {...(settings.endpoint ? { apiBase: settings.endpoint } : {})}>
      <Widget {...rest} />
    </IntercomProvider>
  )
}

function Widget({ user, site, flags, language }: Omit<SupportChatProps, 'settings'>) {
  const { boot, shutdown } = useIntercom()
  useEffect(() => {
    boot({
      userId: user.id,
      email: user.email,
      name: user.login,
      languageOverride: language,
      company: { companyId: site.id, name: site.name },
      customAttributes: { ...flags },
    })
    return shutdown
  }, [boot, shutdown, user, site, flags, language])
  return null
}

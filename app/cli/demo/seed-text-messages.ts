import { toInterfaceLanguage } from '#app/lib/languages.ts'
import { fillMergeFields } from '#app/lib/merge-fields.ts'
import { measureSegments } from '#app/lib/sms-segments.ts'
import { findTranslation } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { campaigns, smsConsents, smsMessages, userPhones } from '#app/server/db/schema/messages.ts'
import { SMS_CAMPAIGNS } from './content/sms-campaigns.ts'
import { insertAll } from './insert-rows.ts'
import type { People, SeedContext } from './seed-context.ts'

const READERS = 48

/** Text messages in the sandbox: people with phone numbers, consents from most of them, and a campaign that reached nearly all. */
export async function seedTextMessages({ tx, siteId, content, calendar, random }: SeedContext, people: People): Promise<void> {
  const campaign = SMS_CAMPAIGNS[content.slug]
  if (!campaign) return
  const installed = calendar.at(-60, 10)
  await insertAll(tx, installations, [
    {
      siteId,
      id: createId(),
      integration: 'sms-sandbox',
      settings: { sender: content.name.slice(0, 11), pricePerText: 0.0079, currency: 'CAD', textsAMonth: 2000 },
      enabledAt: installed,
      health: 'working' as const,
      lastUsedAt: calendar.at(campaign.day, 10),
      createdAt: installed,
      updatedAt: installed,
    },
  ])
  const readers = [people.accounts.participant, ...people.participants.filter(({ confirmed }) => confirmed).slice(1, READERS)].map(
    (person, index) => ({ ...person, phone: `+1613555${String(100 + index).padStart(4, '0')}` }),
  )
  const pickJoinDate = () => calendar.at(-random.int(10, 55), random.int(9, 20), random.int(0, 59))
  const phones = readers.map(({ id, phone }) => ({ siteId, userId: id, phone, confirmedAt: pickJoinDate() }))
  await insertAll(tx, userPhones, phones)
  await insertAll(
    tx,
    smsConsents,
    readers.map(({ id, phone, language }, index) => ({
      siteId,
      id: createId(),
      phone,
      userId: id,
      given: true,
      words: findTranslation(campaign.consent, language, content.locale)?.text ?? '',
      language,
      source: 'account',
      address: '192.0.2.44',
      at: phones[index]?.confirmedAt ?? installed,
    })),
  )
  const id = createId()
  const sendAt = calendar.at(campaign.day, 10)
  const link = `http://${content.hosts[0] ?? 'localhost'}/`
  await insertAll(tx, campaigns, [
    {
      siteId,
      id,
      name: campaign.name,
      body: campaign.text,
      status: 'done',
      sendAt,
      prepared: readers.length,
      createdBy: people.accounts.siteAdmin.id,
      createdAt: calendar.at(campaign.day - 1, 15),
      updatedAt: sendAt,
      finishedAt: calendar.at(campaign.day, 10, 1),
    },
  ])
  await insertAll(
    tx,
    smsMessages,
    readers.map(({ id: userId, phone, language, login }, index) => {
      const text = findTranslation(campaign.text, language, content.locale)
      const body = fillMergeFields(text?.text ?? '', { name: login, site: content.name, link })
      const failed = index === 7
      return {
        siteId,
        id: createId(),
        direction: 'out' as const,
        purpose: 'campaign',
        status: failed ? 'failed' : 'delivered',
        phone,
        userId,
        language: toInterfaceLanguage(text?.language ?? content.locale, content.locale),
        body,
        segments: measureSegments(body).segments,
        integration: 'sms-sandbox',
        providerId: failed ? null : createId(),
        fault: failed ? 'message-refused' : null,
        attempts: 1,
        createdAt: sendAt,
        triedAt: sendAt,
        sentAt: failed ? null : sendAt,
        settledAt: sendAt,
        campaignId: id,
      }
    }),
  )
}

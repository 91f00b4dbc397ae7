import { expect, test } from 'vitest'
import { createEligibilityList } from '#app/features/verifications/eligibility-lists.server.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { createCtx } from '#app/server/context.ts'
import { verifications } from '#app/server/db/schema/verifications.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addAccount } from '#tests/support/accounts.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { pickDefinition } from '#tests/factories/questions.ts'

const db = await createOwnDatabase()
const product = await db.start()
const site = await addSite(db.runtime, { languages: ['en', 'fr-CA', 'cy'] })
const project = await addProject(db.runtime, site, { slug: 'fern' })
const inSite = db.database.site(site.id)

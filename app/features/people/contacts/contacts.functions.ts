import { createServerFn } from '@tanstack/react-start'
import { createInputValidator } from '#app/lib/validate.ts'
import { contactsInputSchema } from './contacts.schema.ts'
import { importContacts } from './import-contacts.server.ts'

/** Checks a table of contacts, or imports it. */
export const sendContacts = createServerFn({ method: 'POST' })
  .validator(createInputValidator(contactsInputSchema))
  .handler(({ data, context: { ctx } }) => importContacts(ctx, data))

/** Why a person may not take part. */
export type AccessRefusal = 'sign-in' | 'confirm' | 'members' | 'group' | 'invitation' | 'verification' | 'guest'

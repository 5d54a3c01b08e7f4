/** The interface of the shared quota. Loaded only for profiles that name a server. */
export { type SharedQuotaOptions, sharedQuota } from './shared.js'

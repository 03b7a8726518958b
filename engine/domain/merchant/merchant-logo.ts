// The logo of a merchant in live state and in events: the one that customers see, and the one that waits or was refused.
import type { Caller } from '../../contract/created-by.ts'
import type { LogoChange } from '../../contract/merchant-account.ts'
import type { Logo } from '../logo-files.ts'

/** Both logos of a merchant. */
export interface MerchantLogos {
  /** The logo that customers see; absent for none. */
  readonly logo?: Logo
  /** The logo that an owner sent last; absent where none waits or was refused. */
  readonly logo_change?: LogoChangeRow
}

/** Its file is served while it waits. */
export interface LogoChangeRow extends Logo, Omit<LogoChange, 'logo_url'> {}

/** The payload of `merchant.logo_approved` and `merchant.logo_refused`: both logos, as they are from then on. */
export interface MerchantLogoDecided {
  readonly merchant_id: string
  readonly logo: Logo | null
  readonly logo_change: LogoChangeRow | null
}

/** The payload of `merchant.logo_set`. `base64`: the bytes of the logo that waits, which live state leaves in the log. */
export interface MerchantLogoSet extends MerchantLogoDecided {
  readonly acted_by: Caller
  readonly base64?: string
}

/** Returns the logos whose files are served. */
export function logosOf(merchant: MerchantLogos | undefined): readonly Logo[] {
  const waiting = merchant?.logo_change?.state === 'requested' ? merchant.logo_change : undefined
  return [merchant?.logo, waiting].filter((one) => one !== undefined)
}

/** Returns the merchant with its logos as they are from then on. */
export function withLogo<Row extends MerchantLogos>(
  { logo: _, logo_change: __, ...merchant }: Row,
  { logo, logo_change }: Pick<MerchantLogoDecided, 'logo' | 'logo_change'>,
): Omit<Row, keyof MerchantLogos> & MerchantLogos {
  return { ...merchant, ...(logo === null ? {} : { logo }), ...(logo_change === null ? {} : { logo_change }) }
}

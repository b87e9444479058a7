// The answers of the routes of audit keys.
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { AuditKeyMade } from '../../../../../domain/audit/messages.ts';

@ApiSchema({ name: 'AuditKey' })
export abstract class AuditKeyRecord {
  @ApiProperty({ type: String, description: 'SHA-256 of the public key, in hex' })
  abstract readonly id: string;

  @ApiProperty({ type: String, description: 'Ed25519, 32 bytes in base64' })
  abstract readonly public_key: string;
}

export const presentKey = ({ keyId, publicKey }: Pick<AuditKeyMade, 'keyId' | 'publicKey'>): AuditKeyRecord => ({
  id: keyId,
  public_key: publicKey,
});

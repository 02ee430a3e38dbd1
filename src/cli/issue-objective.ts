import { openForge } from '../forge/open-forge.ts';
import { placeOfIssue } from '../forge/place.ts';
import { ForgeRefused } from '../forge/refused.ts';

/** Title, text and address of an issue, which is read without a token where none is set. */
export async function objectiveOfIssue(
  address: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const place = placeOfIssue(address);
  const { forge } = openForge(place, environment, false);
  const issue = await forge.issue(place.number);
  if (issue === null) {
    throw new ForgeRefused(
      `${place.host} shows no issue ${place.number} of ${place.path}.`,
      'Look at the address, or set a token that may read it.',
    );
  }
  return [issue.title.trim(), issue.text.trim(), `Issue: ${issue.url}`]
    .filter((part) => part !== '')
    .join('\n\n');
}

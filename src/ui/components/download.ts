/** Gives the browser a file to keep. */
export const download = (name: string, type: string, text: string): void =>
  save(name, new Blob([text], { type }));

export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/**
 * An engine that nobody recorded: two saw teeth at the firing rate and half of it, softened as long
 * as the throttle is shut; hiss for tyres that slide and for wind. Off until somebody asks.
 */

const FIRINGS_PER_TURN = 2; // of four cylinders
const GLIDE_S = 0.03;
const VOLUME = 0.16;

export interface Heard {
  rpm: number;
  throttle: number;
  speedMps: number;
  slide: number; // of the tyres, 0 to 1
}

/** Strengths and pitches for what is heard. */
export function voices(heard: Heard): {
  hz: number;
  engine: number;
  brightHz: number;
  skid: number;
  wind: number;
} {
  const hz = Math.max(12, (heard.rpm / 60) * FIRINGS_PER_TURN);
  const throttle = Math.min(1, Math.max(0, heard.throttle));
  return {
    hz,
    engine: heard.rpm < 50 ? 0 : 0.45 + 0.55 * throttle,
    brightHz: Math.min(9000, 3 * hz + 500 + 2600 * throttle),
    skid: Math.min(1, Math.max(0, heard.slide)) * 0.5,
    wind: Math.min(1, (heard.speedMps / 90) ** 2) * 0.35,
  };
}

function noise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate * 2, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}

interface Machine {
  context: AudioContext;
  master: GainNode;
  high: OscillatorNode;
  low: OscillatorNode;
  engine: GainNode;
  soft: BiquadFilterNode;
  skid: GainNode;
  wind: GainNode;
}

function hiss(master: GainNode, hz: number, q: number): GainNode {
  const context = master.context as AudioContext;
  const source = context.createBufferSource();
  source.buffer = noise(context);
  source.loop = true;
  const band = context.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.value = hz;
  band.Q.value = q;
  const gain = context.createGain();
  gain.gain.value = 0;
  source.connect(band).connect(gain).connect(master);
  source.start();
  return gain;
}

function build(): Machine {
  const context = new AudioContext();
  const master = context.createGain();
  master.gain.value = 0;
  master.connect(context.destination);
  const soft = context.createBiquadFilter();
  soft.type = 'lowpass';
  soft.Q.value = 0.8;
  const engine = context.createGain();
  engine.gain.value = 0;
  const high = context.createOscillator();
  high.type = 'sawtooth';
  const low = context.createOscillator();
  low.type = 'sawtooth';
  const highShare = context.createGain();
  highShare.gain.value = 0.4;
  high.connect(highShare).connect(engine);
  low.connect(engine);
  engine.connect(soft).connect(master);
  high.start();
  low.start();
  const skid = hiss(master, 1100, 2.5);
  const wind = hiss(master, 420, 0.5);
  return { context, master, high, low, engine, soft, skid, wind };
}

export class Sound {
  private machine: Machine | null = null;
  private on = false;

  get isOn(): boolean {
    return this.on;
  }

  /** After a click or a key: browsers are silent before. False: this one has no sound. */
  turn(on: boolean): boolean {
    this.on = on;
    if (on && this.machine === null) {
      if (typeof AudioContext === 'undefined') return false;
      this.machine = build();
    }
    const machine = this.machine;
    if (machine === null) return true;
    if (on) void machine.context.resume();
    machine.master.gain.setTargetAtTime(on ? VOLUME : 0, machine.context.currentTime, 0.05);
    return true;
  }

  hear(heard: Heard): void {
    const machine = this.machine;
    if (!this.on || machine === null) return;
    const now = machine.context.currentTime;
    const to = voices(heard);
    machine.high.frequency.setTargetAtTime(to.hz, now, GLIDE_S);
    machine.low.frequency.setTargetAtTime(to.hz / 2, now, GLIDE_S);
    machine.engine.gain.setTargetAtTime(to.engine, now, GLIDE_S);
    machine.soft.frequency.setTargetAtTime(to.brightHz, now, GLIDE_S);
    machine.skid.gain.setTargetAtTime(to.skid, now, 0.06);
    machine.wind.gain.setTargetAtTime(to.wind, now, 0.2);
  }

  /** Nobody drives: quiet, until somebody does. */
  hush(): void {
    const machine = this.machine;
    if (machine === null || machine.context.state !== 'running') return;
    machine.master.gain.setTargetAtTime(0, machine.context.currentTime, 0.05);
  }

  end(): void {
    void this.machine?.context.close();
    this.machine = null;
    this.on = false;
  }

  wake(): void {
    if (this.on) this.turn(true);
  }
}

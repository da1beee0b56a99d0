"""Towers of MobileNetV2 1.4 (Sandler et al. 2018), each with the sizes of the network in the npm package nsfwjs."""
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

WIDTH = 1.4
# expansion, channels before widening, blocks, stride of the first block
STAGES = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]
FEATURES = 1792
LUMA = (0.299, 0.587, 0.114)  # ITU-R BT.601
COLOURS = 24  # a side: so many different colours a softened picture has
# Sides in pixels, of what comes in and of what the towers look at. Photos for training are enlarged from 64 pixels, so that
# a full-size one must not be sharper.
INPUT, SEEN = 120, 144


def widened(channels):
    """Channels times WIDTH, to the nearest multiple of eight."""
    return max(8, int(channels * WIDTH + 4) // 8 * 8)


class Filter(nn.Conv2d):
    """A convolution whose stride is applied afterwards while training a filter for each channel on a CPU.

    oneDNN has no fast gradient for strided depthwise convolutions: the same result from every position of which
    every second is kept takes a tenth of the time.
    """

    def forward(self, x):
        if self.groups == 1 or self.stride == (1, 1) or not self.training or x.is_cuda:
            return super().forward(x)
        every = F.conv2d(x, self.weight, None, 1, self.padding, 1, self.groups)
        return every[:, :, :: self.stride[0], :: self.stride[1]].contiguous(memory_format=torch.channels_last)


def conv(inputs, outputs, kernel, stride=1, groups=1, activate=True):
    layers = [
        Filter(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.03),
    ]
    return nn.Sequential(*layers, *([nn.ReLU6(inplace=True)] if activate else []))


class Block(nn.Module):
    """Widen, filter each channel, narrow; added to the input where the shapes agree."""

    def __init__(self, inputs, outputs, stride, expansion):
        super().__init__()
        hidden = inputs * expansion
        self.layers = nn.Sequential(
            *([conv(inputs, hidden, 1)] if expansion > 1 else []),
            conv(hidden, hidden, 3, stride, hidden),
            conv(hidden, outputs, 1, activate=False),
        )
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.layers(x) if self.adds else self.layers(x)


def soften_colour(x):
    """Pixels whose side is a multiple of COLOURS -> the same with as few colours, whatever the side.

    The 64-pixel photos for training come from a codec that halves the resolution of colour, others do not: a network
    that has only seen the former is worse and too sure on the latter, however alike they look to people.
    """
    brightness = sum(share * x[:, place : place + 1] for place, share in enumerate(LUMA))
    cell = int(x.shape[-1]) // COLOURS  # a plain number also while the network is exported
    colour = F.avg_pool2d(x - brightness, cell)
    return brightness + F.interpolate(colour, scale_factor=cell, mode="bilinear")


class Towers(nn.Module):
    """N x 3 x S x S pixels in [-1, 1], S a multiple of COLOURS -> N x classes logits, the weighted mean of the towers'."""

    def __init__(self, towers, shares=None):
        super().__init__()
        self.towers = nn.ModuleList(towers)
        self.shares = shares or [1 / len(towers)] * len(towers)

    def forward(self, x):
        x = soften_colour(x)
        return sum(share * tower(x) for share, tower in zip(self.shares, self.towers, strict=True))


class Enlarged(nn.Module):
    """N x 3 x INPUT x INPUT pixels -> what `towers` say of them at SEEN x SEEN."""

    def __init__(self, towers):
        super().__init__()
        self.towers = towers

    def forward(self, x):
        return self.towers(F.interpolate(x, (SEEN, SEEN), mode="bilinear"))


class DishNet(nn.Module):
    """One tower: pixels whose colour is softened -> N x classes logits."""

    def __init__(self, classes, dropout=0.1):
        super().__init__()
        layers, channels = [conv(3, widened(32), 3, 2)], widened(32)
        for expansion, outputs, blocks, stride in STAGES:
            for place in range(blocks):
                layers.append(Block(channels, widened(outputs), stride if place == 0 else 1, expansion))
                channels = widened(outputs)
        self.layers = nn.Sequential(*layers, conv(channels, FEATURES, 1))
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(FEATURES, classes)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, x):
        return self.behind(x, 0)

    def behind(self, x, place):
        """The logits from the input of layer `place`."""
        return self.head(self.dropout(self.layers[place:](x).mean((2, 3))))

    def convolutions(self):
        """(convolution, its normalisation) from input to output."""
        modules = list(self.layers.modules())
        return list(zip([m for m in modules if isinstance(m, nn.Conv2d)],
                        [m for m in modules if isinstance(m, nn.BatchNorm2d)]))


@torch.no_grad()
def start_from(net, weights, head, pixels):
    """Starts `net` from convolutions with folded normalisation, [(weight OIHW, offset O)] from input to output, and its
    head (weight, offset), or none.

    Normalisation is put back so that the function stays the same on `pixels`: each filter is brought to length 1
    (which normalisation undoes; it gives all layers the same effective learning rate), and scale and shift become
    the deviation and mean seen behind the filter.
    """
    net.eval()
    handles = []
    for (layer, norm), (weight, offset) in zip(net.convolutions(), weights, strict=True):
        if layer.weight.shape != weight.shape:
            raise ValueError(f"weights of shape {tuple(weight.shape)} for {layer}")
        length = weight.flatten(1).norm(dim=1).clamp_min(1e-4)
        layer.weight.copy_(weight / length[:, None, None, None])
        handles.append(layer.register_forward_hook(partial(fit_norm, norm, offset, length)))
    net(pixels)
    for handle in handles:
        handle.remove()
    if head:
        net.head.weight.copy_(head[0])
        net.head.bias.copy_(head[1])


@torch.no_grad()
def set_folded(net, weights, head):
    """Gives `net`, whose normalisation is folded, convolutions [(weight OIHW, offset O)] from input to output and its head."""
    layers = [m for m in net.layers.modules() if isinstance(m, nn.Conv2d)]
    for layer, (weight, offset) in zip([*layers, net.head], [*weights, head], strict=True):
        layer.weight.copy_(weight)
        layer.bias.copy_(offset)


def fit_norm(norm, offset, length, _layer, _inputs, output):
    """Lets `norm` give `length * output + offset`, with the statistics of this very output."""
    variance, mean = torch.var_mean(output.float(), (0, 2, 3))
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_(length * (variance + norm.eps).sqrt())
    norm.bias.copy_(offset + length * mean)


def fold(module):
    """Works the normalisation of trained layers into their filters."""
    for child in module.children():
        fold(child)
    if isinstance(module, nn.Sequential) and len(module) > 1 and isinstance(module[1], nn.BatchNorm2d):
        fused = fuse_conv_bn_eval(module[0], module[1])
        module[0], module[1] = fused, nn.Identity()
